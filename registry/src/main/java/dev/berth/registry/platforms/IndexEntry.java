package dev.berth.registry.platforms;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How an index names a manifest, or another index.
///
/// @param mediaType empty when the index does not say
/// @param size in bytes; 0 when the index does not say
/// @param platform null when the index does not say
public record IndexEntry(
    String digest,
    String mediaType,
    long size,
    @Nullable ImagePlatform platform,
    Map<String, String> annotations) {
  private static final String REFERENCE_TYPE = "vnd.docker.reference.type";
  private static final String UNKNOWN = "unknown";

  public IndexEntry {
    annotations = Map.copyOf(annotations);
  }

  public Optional<ImagePlatform> platformIfKnown() {
    return Optional.ofNullable(platform);
  }

  /// Whether it names another index, whose entries count instead of it.
  public boolean isIndex() {
    return MediaTypes.isIndex(mediaType);
  }

  /// Whether it describes another entry (provenance, bill of materials) and cannot be run.
  public boolean isAttestation() {
    return annotations.containsKey(REFERENCE_TYPE)
        || (platform != null
            && platform.os().equals(UNKNOWN)
            && platform.architecture().equals(UNKNOWN));
  }

  /// What it means inside of a nested index: it is for the platform of that index if it does not
  /// name one itself.
  public IndexEntry within(IndexEntry outer) {
    return platform != null || outer.platform == null
        ? this
        : new IndexEntry(digest, mediaType, size, outer.platform, annotations);
  }

  public IndexEntry withPlatform(ImagePlatform known) {
    return new IndexEntry(digest, mediaType, size, known, annotations);
  }
}
