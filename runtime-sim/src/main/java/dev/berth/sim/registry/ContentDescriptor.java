package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.Optional;

/// How one document names another one.
///
/// @param size 0 when it is not said
/// @param platform empty when it is not said
record ContentDescriptor(
    String digest, String mediaType, long size, Optional<ImagePlatform> platform) {
  static ContentDescriptor of(JsonNode node) {
    return new ContentDescriptor(
        node.path("digest").asText(),
        node.path("mediaType").asText(),
        Math.max(0, node.path("size").asLong()),
        node.path("platform").isObject()
            ? Optional.of(platformOf(node.path("platform")))
            : Optional.empty());
  }

  /// Written the same way in an index and in a configuration.
  static ImagePlatform platformOf(JsonNode node) {
    return new ImagePlatform(
        node.path("os").asText(""),
        node.path("architecture").asText(""),
        node.path("variant").asText(""),
        node.path("os.version").asText(""));
  }
}
