package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.List;
import java.util.Optional;

/// An image that the runtime has, for one handler.
///
/// @param handler the handler in its canonical spelling: empty is the default
/// @param handlerAsAsked the handler as the pull named it
/// @param id the digest of the configuration
/// @param digest the digest of what was pulled, index or manifest
public record PulledImage(
    String handler,
    String handlerAsAsked,
    String id,
    ImageReference reference,
    String digest,
    ImagePlatform platform,
    long size,
    List<String> command,
    Optional<Long> user) {
  public PulledImage {
    command = List.copyOf(command);
  }

  public List<String> tags() {
    return reference.tag().isEmpty()
        ? List.of()
        : List.of(reference.repository() + ":" + reference.tag());
  }

  public String repositoryDigest() {
    return reference.repository() + "@" + digest;
  }
}
