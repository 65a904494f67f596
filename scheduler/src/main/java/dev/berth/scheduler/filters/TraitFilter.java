package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// A rule about what is fixed about a node; asked once for all nodes of a shape.
public interface TraitFilter {
  /// Why the node does not do; empty when it does.
  Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster);
}
