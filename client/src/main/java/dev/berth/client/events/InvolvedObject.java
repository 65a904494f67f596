package dev.berth.client.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;

/// The object that an event is about.
///
/// @param namespace empty for objects without one
/// @param fieldPath the part of the object, such as `spec.containers{web}`; empty for all of it
public record InvolvedObject(
    String apiVersion, String kind, String namespace, String name, String uid, String fieldPath) {
  /// The namespace of events about objects without a namespace.
  private static final String DEFAULT_NAMESPACE = "default";

  /// The object in a JSON tree that names its kind.
  public static InvolvedObject of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new InvolvedObject(
        object.path("apiVersion").asText(),
        object.path("kind").asText(),
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        "");
  }

  /// A pod, or one of its containers.
  public static InvolvedObject ofPod(ObjectKey pod, String uid, String fieldPath) {
    return new InvolvedObject("v1", "Pod", pod.namespace(), pod.name(), uid, fieldPath);
  }

  /// A node. As upstream, its name is also used as its UID: `kubectl describe node` selects events
  /// by it.
  public static InvolvedObject ofNode(String name) {
    return new InvolvedObject("v1", "Node", "", name, name, "");
  }

  String eventNamespace() {
    return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }

  /// The object without its part.
  InvolvedObject whole() {
    return new InvolvedObject(apiVersion, kind, namespace, name, uid, "");
  }

  ObjectNode toJson() {
    ObjectNode involved = JsonNodeFactory.instance.objectNode();
    involved.put("apiVersion", apiVersion).put("kind", kind);
    if (!namespace.isEmpty()) {
      involved.put("namespace", namespace);
    }
    involved.put("name", name).put("uid", uid);
    if (!fieldPath.isEmpty()) {
      involved.put("fieldPath", fieldPath);
    }
    return involved;
  }
}
