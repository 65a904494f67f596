package dev.berth.agent.node.usage;

import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.cri.CriEndpoint;
import java.util.List;

/// An image on the node.
///
/// @param digests and `tags`: its names
/// @param store its image service
/// @param handlers that can use it, with the names by which they do; empty when all handlers of the
///   service can, or the default one
public record NodeImage(
    List<String> digests,
    List<String> tags,
    long size,
    CriEndpoint store,
    List<HandlerImage> handlers) {
  public NodeImage {
    digests = List.copyOf(digests);
    tags = List.copyOf(tags);
    handlers = List.copyOf(handlers);
  }
}
