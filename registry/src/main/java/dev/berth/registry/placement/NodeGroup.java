package dev.berth.registry.placement;

import java.util.List;

/// Nodes that placement does not distinguish: equal handlers and taints, and equal values of the
/// labels that matter to a pod.
///
/// @param members at least one
record NodeGroup(List<NodePlatforms> members) {
  NodeGroup {
    members = List.copyOf(members);
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
