package dev.berth.registry.placement;

import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.pods.PodPlatform;
import java.util.Collection;
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
  /// suffice.
  private static final List<List<String>> KEYS =
      List.of(
          List.of(PodPlatform.OS_LABEL),
          List.of(PodPlatform.ARCHITECTURE_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.BUILD_LABEL),
          List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL, PodPlatform.BUILD_LABEL));

  private NodeSelection() {}

  /// The selector with the most preferred nodes, then with the most nodes; then one with the fewest
  /// labels, the first by text. A single node is named where no other selector has a preferred
  /// node: only where the handlers of nodes run something else than those of their equals.
  ///
  /// @param running groups of nodes that run the image
  /// @param all groups of nodes that the pod allows, with the running ones
  static Optional<Map<String, String>> narrow(
      List<NodeGroup> running, List<NodeGroup> all, Predicate<NodePlatforms> preferred) {
    Set<NodeGroup> runs = new HashSet<>(running);
    Set<Map<String, String>> selectors = new HashSet<>();
    for (NodeGroup group : running) {
      Map<String, String> labels = group.example().labels();
      for (List<String> keys : KEYS) {
        if (labels.keySet().containsAll(keys)) {
          Map<String, String> selector = new TreeMap<>();
          keys.forEach(key -> selector.put(key, labels.getOrDefault(key, "")));
          selectors.add(selector);
        }
      }
    }
    Optional<Map<String, String>> broad =
        selectors.stream()
            .filter(selector -> selected(selector, all).allMatch(runs::contains))
            .min(
                Comparator.<Map<String, String>>comparingLong(
                        selector ->
                            -size(
                                selected(selector, all)
                                    .filter(group -> preferred.test(group.example()))))
                    .thenComparingLong(selector -> -size(selected(selector, all)))
                    .thenComparingInt(Map::size)
                    .thenComparing(Map::toString));
    boolean isPreferred =
        broad.isPresent()
            && selected(broad.get(), all).anyMatch(group -> preferred.test(group.example()));
    return isPreferred ? broad : single(running, all, preferred, broad.isPresent()).or(() -> broad);
  }

  /// @param onlyPreferred whether another selector has nodes that are not preferred
  private static Optional<Map<String, String>> single(
      List<NodeGroup> running,
      List<NodeGroup> all,
      Predicate<NodePlatforms> preferred,
      boolean onlyPreferred) {
    Set<NodeGroup> runs = new HashSet<>(running);
    Set<String> others = names(all.stream().filter(group -> !runs.contains(group)).toList());
    Set<String> unique = names(running);
    Set<String> liked =
        names(running.stream().filter(group -> preferred.test(group.example())).toList());
    unique.removeAll(others);
    liked.removeAll(others);
    Set<String> candidates = !liked.isEmpty() || onlyPreferred ? liked : unique;
    return candidates.stream()
        .sorted()
        .findFirst()
        .map(name -> Map.of(RequiredNodeAffinity.HOSTNAME, name));
  }

  private static Set<String> names(Collection<NodeGroup> groups) {
    Set<String> names = new HashSet<>();
    for (NodeGroup group : groups) {
      for (NodePlatforms node : group.members()) {
        String name = node.labels().get(RequiredNodeAffinity.HOSTNAME);
        if (name != null) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static long size(Stream<NodeGroup> groups) {
    return groups.mapToLong(NodeGroup::size).sum();
  }

  private static Stream<NodeGroup> selected(Map<String, String> selector, List<NodeGroup> all) {
    return all.stream()
        .filter(group -> group.example().labels().entrySet().containsAll(selector.entrySet()));
  }
}
