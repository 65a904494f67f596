package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// A pod with claims of volumes or devices goes to nodes whose agent may provide them. Nodes that
/// report runtime services have Berth's agent, which does not; of other nodes nothing is known
/// here.
final class DemandsProvided implements TraitFilter {
  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    return needs.unprovided().isEmpty() || !node.traits().runtimes().isReported()
        ? Optional.empty()
        : Optional.of(
            new Reason(
                Cause.UNPROVIDED,
                "node(s) don't provide " + String.join(", ", needs.unprovided())));
  }
}
