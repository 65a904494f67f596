package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// A rule about where other pods are: looks at the whole cluster once per pod, then at each node.
public interface NeighbourFilter {
  Check prepare(PodInfo pod, Cluster cluster);

  /// The rule, ready to be asked about nodes.
  @FunctionalInterface
  interface Check {
    Optional<Reason> refusal(NodeState node);
  }
}
