package dev.berth.launch.agent;

import dev.berth.launch.runtimes.RuntimeSource;

/// The node of `berth up`.
///
/// @param config its runtimes may be empty: then the source decides
public record LocalNode(AgentConfig config, RuntimeSource source) {}
