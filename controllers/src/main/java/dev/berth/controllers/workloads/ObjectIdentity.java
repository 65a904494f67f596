package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.client.ObjectKey;
import java.util.Map;
import java.util.stream.Collectors;

/// The identity of an object and its owners: what adoption, expectations and preconditions compare.
///
/// @param owners its `ownerReferences` as they are
public record ObjectIdentity(
    ObjectKey key,
    String uid,
    String resourceVersion,
    Map<String, String> labels,
    JsonNode owners,
    boolean isBeingDeleted) {
  public ObjectIdentity {
    labels = Map.copyOf(labels);
  }

  public static ObjectIdentity of(JsonNode tree) {
    JsonNode metadata = tree.path("metadata");
    return new ObjectIdentity(
        new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText()),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asText(),
        texts(metadata.path("labels")),
        metadata.path("ownerReferences"),
        metadata.has("deletionTimestamp"));
  }

  public static Map<String, String> texts(JsonNode map) {
    return map.propertyStream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asText()));
  }

  /// The reference to the owner that manages it; a missing node when there is none.
  public JsonNode controller() {
    for (JsonNode owner : owners) {
      if (owner.path("controller").asBoolean()) {
        return owner;
      }
    }
    return MissingNode.getInstance();
  }

  /// The UID of the owner that manages it; empty when there is none.
  public String controllerUid() {
    return controller().path("uid").asText();
  }
}
