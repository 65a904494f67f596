package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sim.profile.Platform;
import java.util.Optional;

/// How one document names another one.
///
/// @param size 0 when it is not said
/// @param platform empty when it is not said
record Descriptor(String digest, String mediaType, long size, Optional<Platform> platform) {
  static Descriptor of(JsonNode node) {
    return new Descriptor(
        node.path("digest").asText(),
        node.path("mediaType").asText(),
        Math.max(0, node.path("size").asLong()),
        node.path("platform").isObject()
            ? Optional.of(platformOf(node.path("platform")))
            : Optional.empty());
  }

  /// Written the same way in an index and in a configuration.
  static Platform platformOf(JsonNode node) {
    return new Platform(
        node.path("os").asText(""),
        node.path("architecture").asText(""),
        node.path("variant").asText(""),
        node.path("os.version").asText(""));
  }
}
