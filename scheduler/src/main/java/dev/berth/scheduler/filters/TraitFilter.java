package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// A rule about what is fixed about a node; asked once for all nodes of a shape.
public interface TraitFilter {
  /// Why the node does not do; empty when it does.
  Optional<RefusalReason> refusal(PodRequirements needs, NodeInfo node, ClusterState cluster);
}
