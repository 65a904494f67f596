package dev.berth.scheduler.filters;

import dev.berth.api.NodeChoice;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// The node has every label of the pod's selector, and fits one of its affinity terms.
final class NodeAffinity implements TraitFilter {
  static final Reason REASON = new Reason(Cause.AFFINITY, NodeChoice.MISMATCH);

  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    return fits(needs, node) ? Optional.empty() : Optional.of(REASON);
  }

  static boolean fits(PodNeeds needs, NodeInfo node) {
    return needs.nodes().matches(node.name(), node.labels());
  }
}
