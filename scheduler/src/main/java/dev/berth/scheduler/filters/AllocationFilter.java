package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.NodeAllocation;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import java.util.List;

/// A rule about what is free on a node; asked once for all nodes of a shape with the same use.
public interface AllocationFilter {
  /// Why the node does not do; empty when it does.
  List<RefusalReason> refusals(PodInfo pod, NodeTraits traits, NodeAllocation use);
}
