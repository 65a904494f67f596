package dev.berth.registry.placement;

import dev.berth.api.Taint;
import dev.berth.api.pods.PodPlatform;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// All nodes of a cluster, grouped for placement, so that a decision costs as much as there are
/// different nodes. A change of a node makes another instance.
///
/// Any thread may use it: groups and matchers are made at the first question, and threads that race
/// make equal ones.
public final class ClusterPlatforms {
  public static final ClusterPlatforms EMPTY = new ClusterPlatforms(List.of());

  /// The labels that steering selects by; they always matter.
  private static final List<String> STEERED =
      List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL, PodPlatform.BUILD_LABEL);

  /// Pods of a cluster select by few different sets of labels. More are grouped each time, because
  /// users choose the labels.
  private static final int MOST_GROUPINGS = 64;

  private final List<NodePlatforms> nodes;
  private final Map<Set<String>, List<NodeGroup>> groupings = new ConcurrentHashMap<>();
  private final Map<String, ClusterPlatforms> services = new ConcurrentHashMap<>();
  private final Map<TargetPlatform, PlatformMatcher> matchers = new ConcurrentHashMap<>();

  /// @param labels the values of the labels that matter
  private record GroupKey(
      List<String> labels, List<Taint> taints, Map<String, List<TargetPlatform>> handlers) {}

  /// @param nodes in the order in which messages name them
  public ClusterPlatforms(List<NodePlatforms> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  public List<NodePlatforms> nodes() {
    return nodes;
  }

  /// The nodes with a runtime service, as a pod sees them that names it; all nodes for no name.
  public ClusterPlatforms ofService(String name) {
    if (name.isEmpty()) {
      return this;
    }
    ClusterPlatforms known = services.get(name);
    if (known == null) {
      known =
          new ClusterPlatforms(
              nodes.stream()
                  .filter(node -> node.runs().hasService(name))
                  .map(node -> node.ofService(name))
                  .toList());
      if (services.size() < MOST_GROUPINGS) {
        services.put(name, known);
      }
    }
    return known;
  }

  /// @param labels those of which the pod's own rules look at, beside those of platforms
  List<NodeGroup> groups(Set<String> labels) {
    List<NodeGroup> known = groupings.get(labels);
    if (known == null) {
      known = group(labels);
      if (groupings.size() < MOST_GROUPINGS) {
        groupings.put(Set.copyOf(labels), known);
      }
    }
    return known;
  }

  /// For a pod whose rules may distinguish any two nodes.
  List<NodeGroup> single() {
    return nodes.stream().map(node -> new NodeGroup(List.of(node))).toList();
  }

  PlatformMatcher matcher(TargetPlatform target) {
    return matchers.computeIfAbsent(target, PlatformMatcher::new);
  }

  private List<NodeGroup> group(Set<String> labels) {
    Set<String> all = new TreeSet<>(STEERED);
    all.addAll(labels);
    Map<GroupKey, List<NodePlatforms>> groups = new LinkedHashMap<>();
    for (NodePlatforms node : nodes) {
      List<String> values = new ArrayList<>();
      for (String label : all) {
        // No value of a label begins with a space.
        values.add(node.labels().getOrDefault(label, " "));
      }
      groups
          .computeIfAbsent(
              new GroupKey(values, node.taints(), node.handlers()), _ -> new ArrayList<>())
          .add(node);
    }
    return groups.values().stream().map(NodeGroup::new).toList();
  }
}
