package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;

/// Nodes with fewer PreferNoSchedule taints that the pod does not tolerate first.
final class FewSoftTaints implements TraitScore {
  @Override
  public double score(PodNeeds needs, NodeInfo node, Cluster cluster) {
    long unwelcome =
        node.traits().taints().stream()
            .filter(taint -> !taint.isHard() && !taint.isTolerated(needs.tolerations()))
            .count();
    return 100.0 / (1 + unwelcome);
  }
}
