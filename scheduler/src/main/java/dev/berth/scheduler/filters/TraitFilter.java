package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// A filter on static properties of a node; evaluated once for all nodes of a shape.
public interface TraitFilter {
  /// Why the node is not feasible; empty when it is.
  Optional<RefusalReason> refusal(PodRequirements needs, NodeInfo node, ClusterState cluster);
}
