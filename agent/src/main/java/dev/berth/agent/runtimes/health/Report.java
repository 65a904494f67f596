package dev.berth.agent.runtimes.health;

import org.jspecify.annotations.Nullable;

/// The newest news of one runtime service.
///
/// @param discovered what it told last; null until it answered once
public record Report(Health health, @Nullable Discovered discovered) {}
