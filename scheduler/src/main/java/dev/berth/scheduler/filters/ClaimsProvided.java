package dev.berth.scheduler.filters;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses nodes whose agent does not provide the pod's claims of volumes or devices. Nodes that
/// report runtime services run Berth's agent, which does not provide them; other nodes may.
final class ClaimsProvided implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return needs.unprovided().isEmpty() || !node.traits().runtimes().isReported()
        ? Optional.empty()
        : Optional.of(
            new RefusalReason(
                RefusalCause.UNPROVIDED,
                "node(s) don't provide " + String.join(", ", needs.unprovided())));
  }
}
