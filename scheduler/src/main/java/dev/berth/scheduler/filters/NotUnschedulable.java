package dev.berth.scheduler.filters;

import dev.berth.api.Taint;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// Cordoned nodes get only pods that tolerate the taint of the same name.
final class NotUnschedulable implements TraitFilter {
  private static final Reason REASON =
      new Reason(Cause.UNSCHEDULABLE, "node(s) were unschedulable");

  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    return node.traits().isUnschedulable() && !Taint.UNSCHEDULABLE.isTolerated(needs.tolerations())
        ? Optional.of(REASON)
        : Optional.empty();
  }
}
