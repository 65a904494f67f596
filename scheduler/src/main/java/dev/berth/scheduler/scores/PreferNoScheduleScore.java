package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;

/// Prefers nodes with fewer PreferNoSchedule taints that the pod does not tolerate.
final class PreferNoScheduleScore implements TraitScore {
  @Override
  public double score(PodRequirements needs, NodeInfo node, ClusterState cluster) {
    long unwelcome =
        node.traits().taints().stream()
            .filter(taint -> !taint.isHard() && !taint.isTolerated(needs.tolerations()))
            .count();
    return 100.0 / (1 + unwelcome);
  }
}
