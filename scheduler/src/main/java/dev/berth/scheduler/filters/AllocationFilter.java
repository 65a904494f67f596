package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import java.util.List;

/// A filter on the free resources of a node; evaluated once for all nodes of a shape with equal
/// use.
public interface AllocationFilter {
  /// Why the node is not feasible; empty when it is.
  List<RefusalReason> refusals(PodInfo pod, NodeTraits traits, NodeAllocation use);
}
