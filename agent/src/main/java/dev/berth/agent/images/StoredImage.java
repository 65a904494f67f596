package dev.berth.agent.images;

import dev.berth.agent.runtimes.ImageAnnotations;
import dev.berth.cri.v1.Image;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/// An image that an image service has.
///
/// @param handler for which it was pulled, as the runtime reports; empty for any, or the default
///   one
/// @param names tags and digests, and its id
/// @param isPinned the service itself needs it, or nobody could bring it again
/// @param lastUsed when a container of it was last seen; the time it was first seen when none was
record StoredImage(
    String id,
    String handler,
    Set<String> names,
    long size,
    boolean isPinned,
    Instant firstSeen,
    Instant lastUsed) {
  /// `berth up` makes these of the machine's programs; no registry has them.
  private static final String MADE_HERE = "berth.dev/";

  static StoredImage of(Image image, Instant firstSeen, Instant lastUsed) {
    Set<String> names = new HashSet<>(image.getRepoTagsList());
    names.addAll(image.getRepoDigestsList());
    names.add(image.getId());
    return new StoredImage(
        image.getId(),
        ImageAnnotations.handler(image.getSpec()),
        names,
        image.getSize(),
        image.getPinned() || names.stream().anyMatch(name -> name.startsWith(MADE_HERE)),
        firstSeen,
        lastUsed);
  }

  /// What distinguishes it from others of the same service.
  String key() {
    return id + "," + handler;
  }
}
