package dev.berth.scheduler.filters;

import dev.berth.api.Taint;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses nodes with NoSchedule or NoExecute taints that the pod does not tolerate.
final class TaintsTolerated implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    for (Taint taint : node.traits().taints()) {
      if (taint.isHard() && !taint.isTolerated(needs.tolerations())) {
        return Optional.of(
            new RefusalReason(
                RefusalCause.TAINT,
                "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value())));
      }
    }
    return Optional.empty();
  }
}
