package dev.berth.registry.placement;

import dev.berth.api.Problem;
import dev.berth.registry.placement.ImagePlacement.ClassMatch;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Says why no node runs a pod's images, what they have, and which class or nodes would do.
record PlacementProblem(
    PlacementRequest request, List<NodePlatforms> allowed, ImagePlacement placement) {
  private static final int MOST_NAMED = 5;

  /// @param matches the classes that would do
  Problem describe(List<ClassMatch> matches) {
    for (ImageEntries image : request.images()) {
      Set<TargetPlatform> targets = new LinkedHashSet<>();
      allowed.forEach(node -> targets.addAll(node.targets(NodePlatforms.DEFAULT_HANDLER)));
      if (targets.stream().noneMatch(target -> placement.runs(image, target))) {
        PlatformMismatch mismatch = PlatformMismatch.of(image.image(), targets, image.index());
        return new Problem(mismatch.what(), mismatch.why(), remedy(matches));
      }
    }
    return together(matches);
  }

  /// Each image runs somewhere, but no node runs them all.
  private Problem together(List<ClassMatch> matches) {
    List<String> places = new ArrayList<>();
    for (ImageEntries image : request.images()) {
      List<String> nodes =
          allowed.stream().filter(node -> runs(image, node)).map(NodePlatforms::node).toList();
      places.add(
          "image %s runs on %s".formatted(image.image(), nodes.isEmpty() ? "none" : some(nodes)));
    }
    return new Problem(
        "no node runs all images of the pod", String.join(", ", places), remedy(matches));
  }

  private boolean runs(ImageEntries image, NodePlatforms node) {
    List<TargetPlatform> targets = node.targets(NodePlatforms.DEFAULT_HANDLER);
    return !targets.isEmpty() && targets.stream().allMatch(target -> placement.runs(image, target));
  }

  private String remedy(List<ClassMatch> matches) {
    if (!matches.isEmpty()) {
      return byClass(matches);
    }
    List<NodePlatforms> excluded =
        request.nodes().stream().filter(request.allowed().negate()).toList();
    List<NodePlatforms> others = placement.running(excluded, NodePlatforms.DEFAULT_HANDLER);
    if (!others.isEmpty()) {
      return "Node %s could run it, which the pod's node selector, affinity or system excludes"
          .formatted(some(others.stream().map(NodePlatforms::node).toList()));
    }
    List<ClassMatch> elsewhere = placement.classes(excluded);
    return elsewhere.isEmpty()
        ? "No node and no RuntimeClass of the cluster could run it"
        : byClass(elsewhere) + ", which the pod's node selector, affinity or system excludes";
  }

  private static String byClass(List<ClassMatch> matches) {
    List<String> texts = new ArrayList<>();
    for (ClassMatch match : matches.subList(0, Math.min(MOST_NAMED, matches.size()))) {
      Set<String> runs = new LinkedHashSet<>();
      for (NodePlatforms node : match.nodes()) {
        node.targets(match.candidate().handler()).forEach(target -> runs.add(target.toString()));
      }
      texts.add(
          "RuntimeClass %s on node %s could run it (%s)"
              .formatted(
                  match.candidate().name(),
                  some(match.nodes().stream().map(NodePlatforms::node).toList()),
                  some(runs)));
    }
    return String.join(", ", texts);
  }

  private static String some(Collection<String> names) {
    List<String> list = List.copyOf(names);
    int more = list.size() - MOST_NAMED;
    return String.join(", ", list.subList(0, Math.min(MOST_NAMED, list.size())))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }
}
