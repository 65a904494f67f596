package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;

/// Prefers nodes with fewer pods of the same controller, so that the loss of one node does not end
/// all of them.
///
/// Upstream has default spread constraints over host names and zones instead, which look at all
/// nodes.
final class SelectorSpreadScore implements MemberScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    return 100.0 / (1 + node.siblings(pod.owner()));
  }
}
