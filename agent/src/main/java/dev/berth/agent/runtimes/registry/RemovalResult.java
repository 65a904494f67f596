package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.bindings.PodBinding;
import dev.berth.api.Problem;
import java.util.List;

/// The result of a removal.
public sealed interface RemovalResult {
  /// The service is removed.
  ///
  /// @param letGo the pods that were bound to it, which the agent no longer manages
  record Removed(List<PodBinding> letGo) implements RemovalResult {
    public Removed {
      letGo = List.copyOf(letGo);
    }
  }

  record Refused(Problem problem) implements RemovalResult {}
}
