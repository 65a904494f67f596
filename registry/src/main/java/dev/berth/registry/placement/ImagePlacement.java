package dev.berth.registry.placement;

import dev.berth.registry.platforms.PlatformMatcher;
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
public final class ImagePlacement {
  private final PlacementRequest request;
  private final List<NodePlatforms> allowed;
  private final Map<TargetPlatform, PlatformMatcher> matchers = new HashMap<>();

  /// For each target, whether it runs all images: nodes mostly have the same few targets.
  private final Map<TargetPlatform, Boolean> verdicts = new HashMap<>();

  private ImagePlacement(PlacementRequest request) {
    this.request = request;
    this.allowed = request.nodes().stream().filter(request.allowed()).toList();
  }

  public static PlacementDecision decide(PlacementRequest request) {
    return new ImagePlacement(request).decide();
  }

  private PlacementDecision decide() {
    List<NodePlatforms> running = running(allowed, NodePlatforms.DEFAULT_HANDLER);
    boolean isKnown =
        allowed.stream()
            .anyMatch(node -> node.handlers().values().stream().anyMatch(all -> !all.isEmpty()));
    if (request.images().isEmpty() || !isKnown || running.size() == allowed.size()) {
      return new PlacementDecision.Fits();
    }
    Optional<Map<String, String>> selector =
        NodeSelection.narrow(running, allowed, request.preferred());
    if (selector.isPresent()) {
      return new PlacementDecision.Narrow(selector.get());
    }
    List<ClassMatch> matches = classes(allowed);
    String reason = new PlacementProblem(request, allowed, this).describe(matches);
    return matches.isEmpty()
        ? new PlacementDecision.Refuse(reason)
        : new PlacementDecision.Choose(
            matches.getFirst().candidate().name(), matches.getFirst().selector(), reason);
  }

  /// A class of which nodes run all images.
  record ClassMatch(
      CandidateClass candidate, Map<String, String> selector, List<NodePlatforms> nodes) {}

  /// Those with the most nodes first, then by name.
  List<ClassMatch> classes(List<NodePlatforms> nodes) {
    List<ClassMatch> matches = new ArrayList<>();
    for (CandidateClass candidate : request.classes()) {
      List<NodePlatforms> all = nodes.stream().filter(candidate::matches).toList();
      List<NodePlatforms> running = running(all, candidate.handler());
      Optional<Map<String, String>> selector =
          running.size() == all.size()
              ? Optional.of(Map.of())
              : NodeSelection.narrow(running, all, request.preferred());
      if (!running.isEmpty() && selector.isPresent()) {
        matches.add(new ClassMatch(candidate, selector.get(), running));
      }
    }
    matches.sort(
        Comparator.<ClassMatch>comparingInt(match -> -match.nodes().size())
            .thenComparing(match -> match.candidate().name()));
    return matches;
  }

  List<NodePlatforms> running(List<NodePlatforms> nodes, String handler) {
    return nodes.stream().filter(node -> runsAll(node.targets(handler))).toList();
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
    return request.images().stream().allMatch(image -> runs(image, target));
  }

  boolean runs(ImageEntries image, TargetPlatform target) {
    return matchers.computeIfAbsent(target, PlatformMatcher::new).choose(image.index()).isPresent();
  }
}
