package dev.berth.agent.node.usage;

import java.util.List;

/// An image that the node has.
///
/// @param names by digest and by tag
public record NodeImage(List<String> names, long size) {
  public NodeImage {
    names = List.copyOf(names);
  }
}
