package dev.berth.launch.agent;

import dev.berth.launch.runtimes.RuntimeSource;

/// The node of `berth up`.
///
/// @param config the configuration; if it names no runtimes, the source decides
public record LocalNode(AgentConfig config, RuntimeSource source) {}
