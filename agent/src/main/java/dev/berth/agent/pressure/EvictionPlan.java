package dev.berth.agent.pressure;

import java.util.Comparator;
import java.util.List;

/// Orders pods for eviction: those above their requests first, then by priority, then by usage
/// above the request.
public final class EvictionPlan {
  private EvictionPlan() {}

  /// Orders the candidates; critical pods are left out.
  public static List<EvictionCandidate> order(
      List<EvictionCandidate> pods, EvictionSignal signal, boolean hasImageDisk) {
    Comparator<EvictionCandidate> byPriority =
        Comparator.comparingInt(one -> EvictionCandidate.priority(one.pod()));
    Comparator<EvictionCandidate> byExcess =
        Comparator.<EvictionCandidate>comparingLong(one -> one.excess(signal, hasImageDisk))
            .reversed();
    Comparator<EvictionCandidate> order = byPriority.thenComparing(byExcess);
    if (signal != EvictionSignal.PIDS) {
      // Process ids have no requests.
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
