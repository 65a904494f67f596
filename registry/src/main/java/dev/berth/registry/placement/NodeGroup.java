package dev.berth.registry.placement;

import java.util.List;

/// Nodes that placement does not distinguish: equal handlers and taints, and equal values of the
/// labels that matter to a pod.
///
/// A group equals only itself, so that a set of groups never looks at their members.
final class NodeGroup {
  private final List<NodePlatforms> members;

  /// @param members at least one
  NodeGroup(List<NodePlatforms> members) {
    this.members = List.copyOf(members);
  }

  List<NodePlatforms> members() {
    return members;
  }

  /// Stands for all members, but for its name and for labels that do not matter.
  NodePlatforms example() {
    return members.getFirst();
  }

  int size() {
    return members.size();
  }

  /// All nodes of several groups.
  static List<NodePlatforms> members(List<NodeGroup> groups) {
    return groups.stream().flatMap(group -> group.members().stream()).toList();
  }
}
