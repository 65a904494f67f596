package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;

/// The weight of the preferred terms that the node fits, of the weight of all.
final class PreferredAffinity implements TraitScore {
  @Override
  public double score(PodNeeds needs, NodeInfo node, Cluster cluster) {
    int all = 0;
    int fitting = 0;
    for (PodNeeds.Preference preference : needs.preferred()) {
      all += preference.weight();
      fitting += preference.term().matches(node.name(), node.labels()) ? preference.weight() : 0;
    }
    return all == 0 ? 0 : 100.0 * fitting / all;
  }
}
