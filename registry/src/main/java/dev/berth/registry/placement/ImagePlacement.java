package dev.berth.registry.placement;

import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides where a pod's images run.
///
/// Nodes whose platform is unknown run nothing as far as this decision goes. When no allowed node
/// has a known platform, the decision is `Fits`: an empty cluster refuses nothing.
///
/// It looks at one node of each group. Only where no node runs the images without a class, or where
/// no label distinguishes those that do from others, it looks at each node.
public final class ImagePlacement {
  private final PlacementRequest request;
  private final List<NodeGroup> allowed;

  /// For each target, whether it runs all images: nodes mostly have the same few targets.
  private final Map<TargetPlatform, Boolean> verdicts = new HashMap<>();

  private ImagePlacement(PlacementRequest request) {
    this.request = request;
    ClusterPlatforms cluster = request.cluster();
    List<NodeGroup> groups =
        request.rules().labels().map(cluster::groups).orElseGet(cluster::single);
    this.allowed =
        groups.stream().filter(group -> request.rules().allowed().test(group.example())).toList();
  }

  public static PlacementDecision decide(PlacementRequest request) {
    return new ImagePlacement(request).decide();
  }

  private PlacementDecision decide() {
    List<NodeGroup> running =
        allowed.stream()
            .filter(group -> runsAll(group.example().targets(request.handler())))
            .toList();
    boolean isKnown =
        allowed.stream()
            .anyMatch(
                group ->
                    group.example().handlers().values().stream().anyMatch(all -> !all.isEmpty()));
    if (request.images().isEmpty() || !isKnown || running.size() == allowed.size()) {
      return new PlacementDecision.Fits();
    }
    Optional<Map<String, String>> selector = narrow(running, allowed);
    if (selector.isPresent()) {
      return new PlacementDecision.Narrow(selector.get());
    }
    List<NodePlatforms> nodes = NodeGroup.members(allowed);
    List<ClassMatch> matches = request.handler().isEmpty() ? classes(nodes) : List.of();
    String reason = new PlacementProblem(request, nodes, this).describe();
    return matches.isEmpty()
        ? new PlacementDecision.Refuse(reason)
        : new PlacementDecision.Choose(
            matches.getFirst().candidate().name(), matches.getFirst().selector(), reason);
  }

  private Optional<Map<String, String>> narrow(List<NodeGroup> running, List<NodeGroup> all) {
    return NodeSelection.narrow(running, all, request.rules().preferred());
  }

  /// A class of which nodes run all images.
  private record ClassMatch(
      CandidateClass candidate, Map<String, String> selector, List<NodePlatforms> nodes) {}

  /// Those with the most nodes first, then by name.
  private List<ClassMatch> classes(List<NodePlatforms> nodes) {
    List<ClassMatch> matches = new ArrayList<>();
    for (CandidateClass candidate : request.classes().get()) {
      List<NodeGroup> all =
          new ClusterPlatforms(nodes.stream().filter(candidate::matches).toList()).single();
      List<NodeGroup> running =
          all.stream()
              .filter(group -> runsAll(group.example().targets(candidate.handler())))
              .toList();
      if (running.isEmpty()) {
        continue;
      }
      Optional<Map<String, String>> selector =
          running.size() == all.size() ? Optional.of(Map.of()) : narrow(running, all);
      selector.ifPresent(
          found -> matches.add(new ClassMatch(candidate, found, NodeGroup.members(running))));
    }
    matches.sort(
        Comparator.<ClassMatch>comparingInt(match -> -match.nodes().size())
            .thenComparing(match -> match.candidate().name()));
    return matches;
  }

  private boolean runsAll(List<TargetPlatform> targets) {
    for (TargetPlatform target : targets) {
      if (!verdicts.computeIfAbsent(target, this::runsAllOn)) {
        return false;
      }
    }
    return !targets.isEmpty();
  }

  private boolean runsAllOn(TargetPlatform target) {
    for (ImageEntries image : request.images()) {
      if (!runs(image, target)) {
        return false;
      }
    }
    return true;
  }

  boolean runs(ImageEntries image, TargetPlatform target) {
    return request.cluster().matcher(target).choose(image.index()).isPresent();
  }
}
