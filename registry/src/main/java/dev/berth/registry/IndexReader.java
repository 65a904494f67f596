package dev.berth.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the JSON of OCI indexes and Docker manifest lists, which differ in their media types only.
public final class IndexReader {
  private IndexReader() {}

  /// The media type may be missing, so the list of manifests decides.
  public static boolean isIndex(JsonNode document) {
    return document.path("manifests").isArray();
  }

  public static ImageIndex index(JsonNode document) {
    List<IndexEntry> entries = new ArrayList<>();
    document.path("manifests").forEach(node -> entries.add(entry(node)));
    return new ImageIndex(entries);
  }

  private static IndexEntry entry(JsonNode node) {
    JsonNode platform = node.path("platform");
    Map<String, String> annotations = new HashMap<>();
    node.path("annotations")
        .properties()
        .forEach(
            annotation -> annotations.put(annotation.getKey(), annotation.getValue().asText()));
    return new IndexEntry(
        node.path("digest").asText(),
        node.path("mediaType").asText(),
        Math.max(0, node.path("size").asLong()),
        platformOrNull(platform),
        annotations);
  }

  /// Without a system it says nothing.
  private static @Nullable ImagePlatform platformOrNull(JsonNode node) {
    return node.path("os").asText().isEmpty() ? null : platform(node);
  }

  /// Written the same way in an index and in a configuration.
  public static ImagePlatform platform(JsonNode node) {
    Set<String> features = new HashSet<>();
    node.path("os.features").forEach(feature -> features.add(feature.asText()));
    return new ImagePlatform(
        node.path("os").asText(""),
        node.path("architecture").asText(""),
        node.path("variant").asText(""),
        node.path("os.version").asText(""),
        features);
  }
}
