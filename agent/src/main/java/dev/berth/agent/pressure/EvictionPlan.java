package dev.berth.agent.pressure;

import java.util.Comparator;
import java.util.List;

/// The order in which pods go when a node is short of something: those that use more than they
/// asked for first, among equals the less important one, then the one that takes most.
public final class EvictionPlan {
  private EvictionPlan() {}

  /// Pods that must not go are left out.
  public static List<Candidate> order(List<Candidate> pods, Signal signal, boolean hasImageDisk) {
    Comparator<Candidate> byPriority =
        Comparator.comparingInt(one -> Candidate.priority(one.pod()));
    Comparator<Candidate> byExcess =
        Comparator.<Candidate>comparingLong(one -> one.excess(signal, hasImageDisk)).reversed();
    Comparator<Candidate> order = byPriority.thenComparing(byExcess);
    if (signal != Signal.PIDS) {
      // Nobody can ask for processes.
      order =
          Comparator.<Candidate, Boolean>comparing(one -> one.excess(signal, hasImageDisk) <= 0)
              .thenComparing(order);
    }
    return pods.stream().filter(one -> !Candidate.isCritical(one.pod())).sorted(order).toList();
  }
}
