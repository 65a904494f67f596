package dev.berth.controllers.replicasets;

import dev.berth.api.pods.PodPhase;
import dev.berth.controllers.workloads.PodFacts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What brings the number of pods to the wanted one.
///
/// @param create how many pods
/// @param delete these pods
record ReplicaPlan(int create, List<PodFacts> delete) {
  /// Not more at once, so that a mistaken number can be noticed.
  static final int MOST_AT_ONCE = 500;

  ReplicaPlan {
    delete = List.copyOf(delete);
  }

  /// @param pods all that belong to the set; finished ones and those that are going do not count
  static ReplicaPlan of(int wanted, List<PodFacts> pods) {
    List<PodFacts> active = pods.stream().filter(PodFacts::isActive).toList();
    int missing = wanted - active.size();
    if (missing >= 0) {
      return new ReplicaPlan(Math.min(missing, MOST_AT_ONCE), List.of());
    }
    return new ReplicaPlan(
        0, active.stream().sorted(least(active)).limit(Math.min(-missing, MOST_AT_ONCE)).toList());
  }

  /// Those first whose end is felt least: not placed, not running, not ready, cheap, one of several
  /// on their node, ready for a short time, often restarted, young.
  private static Comparator<PodFacts> least(List<PodFacts> active) {
    Map<String, Integer> onNode = new HashMap<>();
    active.forEach(pod -> onNode.merge(pod.node(), 1, Integer::sum));
    return Comparator.<PodFacts, Boolean>comparing(pod -> !pod.node().isEmpty())
        .thenComparingInt(pod -> phaseRank(pod.phase()))
        .thenComparing(PodFacts::isReady)
        .thenComparingInt(PodFacts::deletionCost)
        .thenComparingInt(pod -> -onNode.getOrDefault(pod.node(), 0))
        .thenComparing(PodFacts::readySince, Comparator.reverseOrder())
        .thenComparing(PodFacts::restarts, Comparator.reverseOrder())
        .thenComparing(PodFacts::created, Comparator.reverseOrder())
        .thenComparing(pod -> pod.key().name());
  }

  private static int phaseRank(String phase) {
    return switch (phase) {
      case "", PodPhase.PENDING -> 0;
      case PodPhase.RUNNING -> 2;
      default -> 1;
    };
  }
}
