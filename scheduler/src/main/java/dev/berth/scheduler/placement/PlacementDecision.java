package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.NodeState;

/// Where a pod goes, or why it goes nowhere.
public sealed interface PlacementDecision {
  /// The pod goes to a node.
  ///
  /// @param score by which it was the best
  record Chosen(NodeState node, double score) implements PlacementDecision {}

  record Refused(PlacementRefusal refusal) implements PlacementDecision {}
}
