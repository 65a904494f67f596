package dev.berth.registry.placement;

import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.pods.PodPlatform;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Finds labels that select nodes which run an image, and no other node.
final class NodeSelection {
  /// From the broadest to the narrowest: a build is named only where system and architecture do not
  /// suffice, and a single node only where its handlers run something else than those of its
  /// equals.
  private static final List<List<String>> KEYS =
      List.of(
          List.of(PodPlatform.OS_LABEL),
          List.of(PodPlatform.ARCHITECTURE_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.BUILD_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL, PodPlatform.BUILD_LABEL),
          List.of(RequiredNodeAffinity.HOSTNAME));

  private NodeSelection() {}

  /// The selector with the most preferred nodes, then with the most nodes; then one without the
  /// name of a node, with the fewest labels, the first by text.
  ///
  /// @param running the nodes that run the image
  /// @param all the nodes that the pod allows, with the running ones
  static Optional<Map<String, String>> narrow(
      List<NodePlatforms> running, List<NodePlatforms> all, Predicate<NodePlatforms> preferred) {
    Set<String> runs = new HashSet<>();
    running.forEach(node -> runs.add(node.node()));
    Set<Map<String, String>> selectors = new HashSet<>();
    for (NodePlatforms node : running) {
      for (List<String> keys : KEYS) {
        if (node.labels().keySet().containsAll(keys)) {
          Map<String, String> selector = new TreeMap<>();
          keys.forEach(key -> selector.put(key, node.labels().getOrDefault(key, "")));
          selectors.add(selector);
        }
      }
    }
    return selectors.stream()
        .filter(selector -> selected(selector, all).allMatch(node -> runs.contains(node.node())))
        .min(
            Comparator.<Map<String, String>>comparingLong(
                    selector -> -selected(selector, all).filter(preferred).count())
                .thenComparingLong(selector -> -selected(selector, all).count())
                .thenComparing(selector -> selector.containsKey(RequiredNodeAffinity.HOSTNAME))
                .thenComparingInt(Map::size)
                .thenComparing(Map::toString));
  }

  private static Stream<NodePlatforms> selected(
      Map<String, String> selector, List<NodePlatforms> all) {
    return all.stream().filter(node -> node.labels().entrySet().containsAll(selector.entrySet()));
  }
}
