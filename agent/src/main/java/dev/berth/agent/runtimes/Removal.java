package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.bindings.Binding;
import dev.berth.api.Problem;
import java.util.List;

/// What became of the wish to remove a runtime service.
public sealed interface Removal {
  /// It is gone.
  ///
  /// @param letGo pods that were bound to it: the agent knows them no longer
  record Removed(List<Binding> letGo) implements Removal {
    public Removed {
      letGo = List.copyOf(letGo);
    }
  }

  record Refused(Problem problem) implements Removal {}
}
