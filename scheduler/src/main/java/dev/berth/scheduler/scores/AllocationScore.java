package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;

/// A score that is the same for all nodes of a shape with equal use.
///
/// A new score that grows with the load needs no own bound, but weakens the early stop: the search
/// then compares up to its limit of groups.
interface AllocationScore extends NodeScore {
  /// The upper bound for nodes of the same shape with at least the load of this one.
  ///
  /// The search stops early by it, so a score that falls with the load answers with its own value.
  default double bestFrom(PodInfo pod, NodeState node, String handler) {
    return BEST;
  }
}
