package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;

/// Scores the weight of the preferred node affinity terms that the node matches, relative to the
/// weight of all.
final class PreferredAffinity implements TraitScore {
  @Override
  public double score(PodRequirements needs, NodeInfo node, ClusterState cluster) {
    int all = 0;
    int fitting = 0;
    for (PodRequirements.Preference preference : needs.preferred()) {
      all += preference.weight();
      fitting += preference.term().matches(node.name(), node.labels()) ? preference.weight() : 0;
    }
    return all == 0 ? 0 : 100.0 * fitting / all;
  }
}
