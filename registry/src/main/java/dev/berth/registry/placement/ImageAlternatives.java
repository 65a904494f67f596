package dev.berth.registry.placement;

import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Says which RuntimeClasses and nodes could run an image: the end of the sentence of a
/// PlatformMismatch, for admission and the command line.
public final class ImageAlternatives {
  static final String NOTHING = "no node and no RuntimeClass of the cluster could run it";

  private static final int MOST_NAMED = 5;

  private ImageAlternatives() {}

  /// `RuntimeClass emulated on node emu could run linux/s390x; nodes n1, n2 could run linux/s390x`.
  ///
  /// @param nodes all nodes of the cluster
  /// @param classes all classes of the cluster
  public static String of(
      ImageIndex index, List<NodePlatforms> nodes, List<CandidateClass> classes) {
    List<String> texts = new ArrayList<>();
    for (CandidateClass candidate : classes) {
      List<NodePlatforms> offering = nodes.stream().filter(candidate::matches).toList();
      List<NodePlatforms> running = running(index, offering, candidate.handler());
      if (!running.isEmpty() && texts.size() < MOST_NAMED) {
        texts.add(byClass(candidate, running, index));
      }
    }
    List<NodePlatforms> running = running(index, nodes, NodePlatforms.DEFAULT_HANDLER);
    if (!running.isEmpty()) {
      texts.add(byNodes(running, index));
    }
    return texts.isEmpty() ? NOTHING : String.join("; ", texts);
  }

  private static List<NodePlatforms> running(
      ImageIndex index, List<NodePlatforms> nodes, String handler) {
    return nodes.stream()
        .filter(
            node ->
                !node.targets(handler).isEmpty()
                    && node.targets(handler).stream()
                        .allMatch(target -> PlatformMatcher.choose(index, target).isPresent()))
        .toList();
  }

  /// `RuntimeClass windows-1809-hyperv on nodes w1, w2 could run 10.0.17134`.
  static String byClass(CandidateClass candidate, List<NodePlatforms> nodes, ImageIndex index) {
    return "RuntimeClass %s on %s could run %s"
        .formatted(candidate.name(), names(nodes), entries(index, nodes, candidate.handler()));
  }

  /// `node arm could run linux/arm64`.
  static String byNodes(List<NodePlatforms> nodes, ImageIndex index) {
    return "%s could run %s"
        .formatted(names(nodes), entries(index, nodes, NodePlatforms.DEFAULT_HANDLER));
  }

  /// `node n1`, or `nodes n1, n2`; long lists are cut.
  static String names(List<NodePlatforms> nodes) {
    return (nodes.size() == 1 ? "node " : "nodes ")
        + some(nodes.stream().map(NodePlatforms::node).toList());
  }

  private static String entries(ImageIndex index, List<NodePlatforms> nodes, String handler) {
    Set<TargetPlatform> targets = new LinkedHashSet<>();
    nodes.forEach(node -> targets.addAll(node.targets(handler)));
    Set<String> entries = new LinkedHashSet<>();
    for (TargetPlatform target : targets) {
      PlatformMatcher.choose(index, target).ifPresent(entry -> entries.add(text(entry)));
    }
    return some(entries);
  }

  /// Windows entries of an image differ in their versions, others in their platforms.
  private static String text(IndexEntry entry) {
    Optional<ImagePlatform> platform = entry.platformIfKnown();
    return platform
        .filter(ImagePlatform::isWindows)
        .flatMap(windows -> WindowsVersion.parse(windows.osVersion()))
        .map(WindowsVersion::label)
        .or(() -> platform.map(ImagePlatform::toString))
        .orElse("its entry");
  }

  private static String some(Collection<String> names) {
    List<String> list = List.copyOf(names);
    int more = list.size() - MOST_NAMED;
    return String.join(", ", list.subList(0, Math.min(MOST_NAMED, list.size())))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }
}
