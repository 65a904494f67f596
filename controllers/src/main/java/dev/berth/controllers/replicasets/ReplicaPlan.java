package dev.berth.controllers.replicasets;

import dev.berth.api.pods.PodPhase;
import dev.berth.controllers.workloads.WorkloadPod;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Decides how many pods to create or which to delete to reach the desired number; pure.
///
/// @param create how many pods
/// @param delete the pods to delete
record ReplicaPlan(int create, List<WorkloadPod> delete) {
  /// Maximum number of creations at once, as upstream, so that a mistaken number can be noticed.
  static final int MOST_AT_ONCE = 500;

  ReplicaPlan {
    delete = List.copyOf(delete);
  }

  /// @param pods all pods of the set; finished and terminating ones do not count
  static ReplicaPlan of(int wanted, List<WorkloadPod> pods) {
    List<WorkloadPod> active = pods.stream().filter(WorkloadPod::isActive).toList();
    int missing = wanted - active.size();
    if (missing >= 0) {
      return new ReplicaPlan(Math.min(missing, MOST_AT_ONCE), List.of());
    }
    return new ReplicaPlan(
        0, active.stream().sorted(least(active)).limit(Math.min(-missing, MOST_AT_ONCE)).toList());
  }

  /// Deletes first, as upstream: unbound, not running, not ready, lower deletion cost, several on
  /// one node, ready for a shorter time, more restarts, younger.
  private static Comparator<WorkloadPod> least(List<WorkloadPod> active) {
    Map<String, Integer> onNode = new HashMap<>();
    active.forEach(pod -> onNode.merge(pod.node(), 1, Integer::sum));
    return Comparator.<WorkloadPod, Boolean>comparing(pod -> !pod.node().isEmpty())
        .thenComparingInt(pod -> phaseRank(pod.phase()))
        .thenComparing(WorkloadPod::isReady)
        .thenComparingInt(WorkloadPod::deletionCost)
        .thenComparingInt(pod -> -onNode.getOrDefault(pod.node(), 0))
        .thenComparing(WorkloadPod::readySince, Comparator.reverseOrder())
        .thenComparing(WorkloadPod::restarts, Comparator.reverseOrder())
        .thenComparing(WorkloadPod::created, Comparator.reverseOrder())
        .thenComparing(pod -> pod.key().name());
  }

  /// Unknown phases are between pending and running, as in upstream's order.
  private static int phaseRank(String phase) {
    return switch (phase) {
      case "", PodPhase.PENDING -> 0;
      case PodPhase.RUNNING -> 2;
      default -> 1;
    };
  }
}
