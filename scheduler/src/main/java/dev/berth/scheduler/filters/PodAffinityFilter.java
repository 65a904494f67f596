package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// A filter that depends on other pods: it reads the whole cluster once for a pod, then checks each
/// node.
public interface PodAffinityFilter {
  Check prepare(PodInfo pod, ClusterState cluster);

  /// The filter, prepared for one pod.
  @FunctionalInterface
  interface Check {
    Optional<RefusalReason> refusal(NodeState node);
  }
}
