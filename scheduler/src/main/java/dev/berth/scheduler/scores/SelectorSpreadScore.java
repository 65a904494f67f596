package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.PodInfo;

/// Nodes with fewer pods of the same controller first, so that one node does not take them all
/// down.
final class SelectorSpreadScore implements NodeScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    return 100.0 / (1 + node.siblings(pod.owner()));
  }
}
