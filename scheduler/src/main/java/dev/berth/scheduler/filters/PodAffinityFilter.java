package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// A rule about where other pods are: looks at the whole cluster once per pod, then at each node.
public interface PodAffinityFilter {
  Check prepare(PodInfo pod, ClusterState cluster);

  /// The rule, ready to be asked about nodes.
  @FunctionalInterface
  interface Check {
    Optional<RefusalReason> refusal(NodeState node);
  }
}
