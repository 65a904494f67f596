package dev.berth.scheduler.filters;

import dev.berth.api.Taint;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.model.Cause;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodNeeds;
import dev.berth.scheduler.model.Reason;
import java.util.Optional;

/// Every hard taint of the node is tolerated.
final class TaintsTolerated implements TraitFilter {
  @Override
  public Optional<Reason> refusal(PodNeeds needs, NodeInfo node, Cluster cluster) {
    for (Taint taint : node.traits().taints()) {
      if (taint.isHard() && !taint.isTolerated(needs.tolerations())) {
        return Optional.of(
            new Reason(
                Cause.TAINT,
                "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value())));
      }
    }
    return Optional.empty();
  }
}
