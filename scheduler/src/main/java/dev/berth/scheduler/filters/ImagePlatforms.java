package dev.berth.scheduler.filters;

import dev.berth.api.pods.WorkloadType;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodRequirements;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RefusalReason;
import java.util.Optional;

/// Refuses nodes that cannot run the pod's images, whose platforms admission wrote into an
/// annotation of the pod; the scheduler itself asks no registry.
///
/// A pod that names a runtime service is not judged: nodes report platforms by handler.
final class ImagePlatforms implements TraitFilter {
  @Override
  public Optional<RefusalReason> refusal(
      PodRequirements needs, NodeInfo node, ClusterState cluster) {
    boolean namesService = !needs.serviceName().isEmpty() && !needs.asksForDefaultService();
    String handler = cluster.handler(needs.className());
    if (needs.images().isEmpty()
        || namesService
        || handler == null
        || needs.workload() != WorkloadType.CONTAINER) {
      return Optional.empty();
    }
    return needs
        .images()
        .mismatch(node.traits().platforms(), handler)
        .map(
            why ->
                new RefusalReason(
                    RefusalCause.IMAGES, "node(s) can't run an image of the pod: " + why));
  }
}
