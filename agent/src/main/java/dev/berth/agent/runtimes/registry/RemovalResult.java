package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.bindings.PodBinding;
import dev.berth.api.Problem;
import java.util.List;

/// What became of the wish to remove a runtime service.
public sealed interface RemovalResult {
  /// It is gone.
  ///
  /// @param letGo pods that were bound to it: the agent knows them no longer
  record Removed(List<PodBinding> letGo) implements RemovalResult {
    public Removed {
      letGo = List.copyOf(letGo);
    }
  }

  record Refused(Problem problem) implements RemovalResult {}
}
