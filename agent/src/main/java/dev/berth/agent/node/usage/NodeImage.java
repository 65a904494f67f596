package dev.berth.agent.node.usage;

import dev.berth.cri.CriEndpoint;
import java.util.List;

/// An image on the node.
///
/// @param digests and `tags`: its names
/// @param store its image service
/// @param handler the only handler that can use it; empty when all of the service can, or the
///   default
public record NodeImage(
    List<String> digests, List<String> tags, long size, CriEndpoint store, String handler) {
  public NodeImage {
    digests = List.copyOf(digests);
    tags = List.copyOf(tags);
  }
}
