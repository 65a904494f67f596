package dev.berth.scheduler.scores;

import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.NodeImages;
import dev.berth.scheduler.model.PodInfo;

/// Prefers nodes that have the pod's images for the handler of its class.
///
/// Upstream weighs images by their size and by how many nodes have them. Here every image counts
/// the same, which gives the search by shape a bound that needs no look at the nodes.
final class ImagePresent implements MemberScore {
  @Override
  public double score(PodInfo pod, NodeState node, String handler) {
    NodeImages images = node.info().images();
    if (images.names().isEmpty() || pod.images().isEmpty()) {
      return 0;
    }
    int present = 0;
    for (String image : pod.images()) {
      present += images.has(image, handler) ? 1 : 0;
    }
    return 100.0 * present / pod.images().size();
  }

  @Override
  public double best(boolean imagesKnown) {
    return imagesKnown ? BEST : 0;
  }
}
