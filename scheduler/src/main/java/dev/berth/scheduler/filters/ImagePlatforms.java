package dev.berth.scheduler.filters;

import dev.berth.api.pods.WorkloadType;
import dev.berth.registry.placement.HandlerPlatforms;
import dev.berth.registry.placement.PodImagePlatforms;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses nodes that cannot run the pod's images, whose platforms admission wrote into an
/// annotation of the pod; the scheduler itself asks no registry.
final class ImagePlatforms implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    String handler = cluster.handler(needs.className());
    if (needs.images().isEmpty() || handler == null || needs.workload() != WorkloadType.CONTAINER) {
      return Optional.empty();
    }
    HandlerPlatforms runs = node.traits().platforms().ofService(needs.serviceName());
    if (handler.isEmpty() && PodImagePlatforms.isUnknown(runs, handler)) {
      return Optional.of(
          new RefusalReason(
              RefusalCause.IMAGES, RefusalReason.ofImage("the node does not report its platform")));
    }
    return needs.images().mismatch(runs, handler).map(RefusalReason::of);
  }
}
