package dev.berth.launch;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import java.util.List;

/// The node of `berth up`.
///
/// @param config its runtimes may be empty: then those are used that run on this machine
/// @param simulate use the simulator, whatever runs on this machine
public record LocalNode(AgentConfig config, boolean simulate) {
  /// The runtimes to use; none when the simulator has to do.
  List<RuntimeDeclaration> runtimes(RuntimeFinder finder) {
    if (simulate) {
      return List.of();
    }
    return config.runtimes().isEmpty() ? finder.find() : config.runtimes();
  }
}
