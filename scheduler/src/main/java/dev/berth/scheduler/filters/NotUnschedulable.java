package dev.berth.scheduler.filters;

import dev.berth.api.Taint;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses cordoned nodes unless the pod tolerates the taint `node.kubernetes.io/unschedulable`.
final class NotUnschedulable implements TraitFilter {
  private static final RefusalReason REASON =
      new RefusalReason(RefusalCause.UNSCHEDULABLE, "node(s) were unschedulable");

  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    return node.traits().isUnschedulable() && !Taint.UNSCHEDULABLE.isTolerated(needs.tolerations())
        ? Optional.of(REASON)
        : Optional.empty();
  }
}
