package dev.berth.launch.agent;

import dev.berth.launch.runtimes.RuntimeSource;
import dev.berth.launch.runtimes.VmChoice;

/// The node of `berth up`.
///
/// @param config the configuration; if it names no runtimes, the source decides
/// @param machines whether a VM runtime is started beside the runtimes for containers
public record LocalNode(AgentConfig config, RuntimeSource source, VmChoice machines) {
  /// A node for containers alone.
  public LocalNode(AgentConfig config, RuntimeSource source) {
    this(config, source, VmChoice.NONE);
  }
}
