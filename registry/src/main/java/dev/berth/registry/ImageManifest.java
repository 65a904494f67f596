package dev.berth.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// What an image consists of, for one platform.
///
/// @param digest of the manifest
/// @param size of the manifest itself
public record ImageManifest(
    String digest, long size, ContentDescriptor config, List<ContentDescriptor> layers) {
  public ImageManifest {
    layers = List.copyOf(layers);
  }

  /// A blob, as a manifest names it.
  ///
  /// @param size 0 when the manifest does not say
  public record ContentDescriptor(String digest, String mediaType, long size) {
    static ContentDescriptor of(JsonNode node) {
      return new ContentDescriptor(
          node.path("digest").asText(),
          node.path("mediaType").asText(),
          Math.max(0, node.path("size").asLong()));
    }
  }

  static ImageManifest of(RegistryDocument document) {
    List<ContentDescriptor> layers = new ArrayList<>();
    document.json().path("layers").forEach(node -> layers.add(ContentDescriptor.of(node)));
    return new ImageManifest(
        document.digest(),
        document.size(),
        ContentDescriptor.of(document.json().path("config")),
        layers);
  }
}
