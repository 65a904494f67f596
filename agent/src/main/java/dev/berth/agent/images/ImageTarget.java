package dev.berth.agent.images;

import dev.berth.registry.platforms.TargetPlatform;

/// For whom an image is.
///
/// @param handler of the pod's RuntimeClass; empty for the default one
/// @param platform what the handler runs
/// @param isChosenByAgent whether the runtime would take another entry of an index than the one for
///   this platform, so that the agent names the entry by its digest
public record ImageTarget(String handler, TargetPlatform platform, boolean isChosenByAgent) {}
