package dev.berth.registry.placement;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// Nodes in a message: the first by name, and how many there are.
///
/// @param first sorted
public record NodeNames(List<String> first, int count) {
  static final int MOST_NAMED = 5;

  public NodeNames {
    first = first.stream().sorted().limit(MOST_NAMED).toList();
  }

  public static NodeNames of(String node) {
    return new NodeNames(List.of(node), 1);
  }

  public static NodeNames of(Collection<String> nodes) {
    return new NodeNames(List.copyOf(nodes), nodes.size());
  }

  NodeNames with(NodeNames others) {
    return new NodeNames(
        Stream.concat(first.stream(), others.first.stream()).toList(), count + others.count);
  }

  /// `node n1`, or `nodes n1, n2`; long lists are cut.
  @Override
  public String toString() {
    return (count == 1 ? "node " : "nodes ")
        + String.join(", ", first)
        + (count > first.size() ? " and %d more".formatted(count - first.size()) : "");
  }
}
