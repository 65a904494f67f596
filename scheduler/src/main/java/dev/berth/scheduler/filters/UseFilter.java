package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Use;
import dev.berth.scheduler.model.NodeTraits;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.Reason;
import java.util.List;

/// A rule about what is free on a node; asked once for all nodes of a shape with the same use.
public interface UseFilter {
  /// Why the node does not do; empty when it does.
  List<Reason> refusals(PodInfo pod, NodeTraits traits, Use use);
}
