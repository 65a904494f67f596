package dev.berth.vm.images;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.registry.IndexReader;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.vm.images.StoredImage.ImageDefaults;
import java.util.ArrayList;
import java.util.List;

/// The configuration of an image: its platform, its layers, what its containers have.
///
/// @param layers digests of the tar files of the layers, lowest first
record ImageConfig(ImagePlatform platform, List<String> layers, ImageDefaults defaults) {
  /// More than any builder makes.
  private static final int MOST_LAYERS = 500;

  /// @param image for messages
  /// @throws ImageException if guests cannot run what it describes
  static ImageConfig of(String image, JsonNode json) {
    ImagePlatform platform = IndexReader.platform(json);
    List<String> layers = texts(json.path("rootfs").path("diff_ids"));
    if (!platform.os().equals(ImagePlatform.LINUX)) {
      throw ImageFailures.invalid(
          image,
          platform.os().isEmpty()
              ? "it is not an image of containers: its configuration names no operating system"
              : "it is for %s, guests run linux".formatted(platform),
          null);
    }
    if (layers.size() > MOST_LAYERS || !layers.stream().allMatch(ContentDigest::isValid)) {
      throw ImageFailures.invalid(
          image,
          "its configuration names more than %d layers, or one without a digest of sha256"
              .formatted(MOST_LAYERS),
          null);
    }
    return new ImageConfig(platform, layers, defaults(json.path("config")));
  }

  private static ImageDefaults defaults(JsonNode config) {
    List<String> volumes = new ArrayList<>();
    config.path("Volumes").fieldNames().forEachRemaining(volumes::add);
    return new ImageDefaults(
        texts(config.path("Entrypoint")),
        texts(config.path("Cmd")),
        texts(config.path("Env")),
        config.path("WorkingDir").asText(""),
        config.path("User").asText(""),
        config.path("StopSignal").asText(""),
        volumes);
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.asText()));
    return texts;
  }
}
