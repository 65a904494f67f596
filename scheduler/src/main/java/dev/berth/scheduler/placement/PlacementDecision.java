package dev.berth.scheduler.placement;

import dev.berth.scheduler.cluster.NodeState;

/// The result of an attempt: a node, or why there is none.
public sealed interface PlacementDecision {
  /// The pod is placed on a node.
  ///
  /// @param score the total score of the node
  record Chosen(NodeState node, double score) implements PlacementDecision {}

  record Refused(PlacementRefusal refusal) implements PlacementDecision {}
}
