package dev.berth.registry.placement;

import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Says in one sentence why no node runs a pod's images, what they have, and which class or nodes
/// would do.
record PlacementProblem(
    PlacementRequest request, List<NodePlatforms> allowed, ImagePlacement placement) {
  String describe() {
    for (ImageEntries image : request.images()) {
      Set<TargetPlatform> targets = new LinkedHashSet<>();
      allowed.forEach(node -> targets.addAll(node.targets(request.handler())));
      if (targets.stream().noneMatch(target -> placement.runs(image, target))) {
        return PlatformMismatch.of(image.image(), targets, image.index()).message(remedy(image));
      }
    }
    return together();
  }

  /// Each image runs somewhere, but no node runs them all.
  private String together() {
    List<String> places = new ArrayList<>(List.of("no node runs all images of the pod"));
    for (ImageEntries image : request.images()) {
      List<String> nodes =
          allowed.stream().filter(node -> runs(image, node)).map(NodePlatforms::node).toList();
      places.add(
          "image %s runs on %s"
              .formatted(image.image(), nodes.isEmpty() ? "none" : NodeNames.of(nodes)));
    }
    places.add(remedy(request.images().getFirst()));
    return String.join("; ", places);
  }

  private boolean runs(ImageEntries image, NodePlatforms node) {
    List<TargetPlatform> targets = node.targets(request.handler());
    return !targets.isEmpty() && targets.stream().allMatch(target -> placement.runs(image, target));
  }

  private String remedy(ImageEntries subject) {
    List<CandidateClass> classes = request.classes().get();
    List<NodePlatforms> excluded =
        request.cluster().nodes().stream().filter(request.rules().allowed().negate()).toList();
    return new ImageRemedy(
            request.images().stream()
                .filter(image -> !isAnywhere(image))
                .map(PlacementProblem::platforms)
                .toList(),
            platforms(subject))
        .of(PlatformOffers.of(allowed, classes), PlatformOffers.of(excluded, classes));
  }

  /// An image with an entry for an unknown platform may run on any node.
  private static boolean isAnywhere(ImageEntries image) {
    return image.index().manifests().stream().anyMatch(entry -> entry.platformIfKnown().isEmpty());
  }

  private static List<ImagePlatform> platforms(ImageEntries image) {
    return image.index().manifests().stream()
        .flatMap(entry -> entry.platformIfKnown().stream())
        .toList();
  }
}
