package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// Objects reduced to their metadata, which is all that some controllers and `kubectl` ask for.
///
/// The metadata nodes are shared with the objects given, not copied.
public final class PartialMetadata {
  private static final String GROUP = "meta.k8s.io/";

  private PartialMetadata() {}

  /// Reduces an object to `PartialObjectMetadata`.
  ///
  /// @param version `v1` or `v1beta1`
  public static ObjectNode of(ObjectNode object, String version) {
    ObjectNode partial = JsonTrees.object();
    partial.put("kind", "PartialObjectMetadata").put("apiVersion", GROUP + version);
    JsonNode metadata = object.get("metadata");
    partial.set("metadata", metadata == null ? JsonTrees.object() : metadata);
    return partial;
  }
}
