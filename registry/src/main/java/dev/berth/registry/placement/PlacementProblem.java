package dev.berth.registry.placement;

import dev.berth.registry.placement.ImagePlacement.ClassMatch;
import dev.berth.registry.platforms.ImageIndex;
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
  private static final int MOST_CLASSES = 5;
  private static final String EXCLUDED =
      ", which the pod's node selector, affinity or system excludes";

  /// @param matches the classes that would do
  String describe(List<ClassMatch> matches) {
    for (ImageEntries image : request.images()) {
      Set<TargetPlatform> targets = new LinkedHashSet<>();
      allowed.forEach(node -> targets.addAll(node.targets(NodePlatforms.DEFAULT_HANDLER)));
      if (targets.stream().noneMatch(target -> placement.runs(image, target))) {
        return PlatformMismatch.of(image.image(), targets, image.index())
            .message(remedy(matches, image.index()));
      }
    }
    return together(matches);
  }

  /// Each image runs somewhere, but no node runs them all.
  private String together(List<ClassMatch> matches) {
    List<String> places = new ArrayList<>(List.of("no node runs all images of the pod"));
    for (ImageEntries image : request.images()) {
      List<NodePlatforms> nodes = allowed.stream().filter(node -> runs(image, node)).toList();
      places.add(
          "image %s runs on %s"
              .formatted(image.image(), nodes.isEmpty() ? "none" : ImageAlternatives.names(nodes)));
    }
    places.add(remedy(matches, request.images().getFirst().index()));
    return String.join("; ", places);
  }

  private boolean runs(ImageEntries image, NodePlatforms node) {
    List<TargetPlatform> targets = node.targets(NodePlatforms.DEFAULT_HANDLER);
    return !targets.isEmpty() && targets.stream().allMatch(target -> placement.runs(image, target));
  }

  private String remedy(List<ClassMatch> matches, ImageIndex index) {
    if (!matches.isEmpty()) {
      return byClass(matches, index);
    }
    List<NodePlatforms> excluded =
        request.cluster().nodes().stream().filter(request.rules().allowed().negate()).toList();
    List<NodePlatforms> others = placement.running(excluded, NodePlatforms.DEFAULT_HANDLER);
    if (!others.isEmpty()) {
      return ImageAlternatives.byNodes(others, index) + EXCLUDED;
    }
    List<ClassMatch> elsewhere = placement.classes(excluded);
    return elsewhere.isEmpty() ? ImageAlternatives.NOTHING : byClass(elsewhere, index) + EXCLUDED;
  }

  private static String byClass(List<ClassMatch> matches, ImageIndex index) {
    return String.join(
        "; ",
        matches.stream()
            .limit(MOST_CLASSES)
            .map(match -> ImageAlternatives.byClass(match.candidate(), match.nodes(), index))
            .toList());
  }
}
