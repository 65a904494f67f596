package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.NodeTerm;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Map;
import java.util.Optional;

/// The node has every label of the pod's selector, and fits one of its affinity terms.
final class NodeAffinity implements TraitFilter {
  static final Reason REASON =
      new Reason(Cause.AFFINITY, "node(s) didn't match Pod's node affinity/selector");

  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    return fits(needs, node) ? Optional.empty() : Optional.of(REASON);
  }

  static boolean fits(PodNeeds needs, NodeInfo node) {
    for (Map.Entry<String, String> wanted : needs.nodeSelector().entrySet()) {
      if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
        return false;
      }
    }
    if (needs.required() == null) {
      return true;
    }
    for (NodeTerm term : needs.required()) {
      if (term.matches(node)) {
        return true;
      }
    }
    return false;
  }
}
