package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;

/// A score of the current state of a node; each is an [AllocationScore] or a [MemberScore].
interface NodeScore {
  double BEST = 100;

  /// At most [#BEST].
  ///
  /// @param handler of the pod's class, empty for none
  double score(PodInfo pod, NodeState node, String handler);
}
