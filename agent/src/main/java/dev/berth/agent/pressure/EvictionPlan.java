package dev.berth.agent.pressure;

import java.util.Comparator;
import java.util.List;

/// The order in which pods go when a node is short of something: those that use more than they
/// asked for first, among equals the less important one, then the one that takes most.
public final class EvictionPlan {
  private EvictionPlan() {}

  /// Pods that must not go are left out.
  public static List<EvictionCandidate> order(
      List<EvictionCandidate> pods, EvictionSignal signal, boolean hasImageDisk) {
    Comparator<EvictionCandidate> byPriority =
        Comparator.comparingInt(one -> EvictionCandidate.priority(one.pod()));
    Comparator<EvictionCandidate> byExcess =
        Comparator.<EvictionCandidate>comparingLong(one -> one.excess(signal, hasImageDisk))
            .reversed();
    Comparator<EvictionCandidate> order = byPriority.thenComparing(byExcess);
    if (signal != EvictionSignal.PIDS) {
      // Nobody can ask for processes.
      order =
          Comparator.<EvictionCandidate, Boolean>comparing(
                  one -> one.excess(signal, hasImageDisk) <= 0)
              .thenComparing(order);
    }
    return pods.stream()
        .filter(one -> !EvictionCandidate.isCritical(one.pod()))
        .sorted(order)
        .toList();
  }
}
