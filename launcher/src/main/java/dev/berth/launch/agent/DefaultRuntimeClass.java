package dev.berth.launch.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/// A RuntimeClass that `berth up` creates so that pods can name a handler.
///
/// @param nodeSelector the nodes that it is for; empty for all
/// @param toleratedTaint key of a taint with the value `true` that its pods tolerate; may be empty
/// @param overhead what a pod needs beside its containers, by resource; may be empty
/// @param features what its pods get and cannot have, as annotations; may be empty
public record DefaultRuntimeClass(
    String name,
    String handler,
    Map<String, String> nodeSelector,
    String toleratedTaint,
    Map<String, String> overhead,
    Map<String, String> features) {
  public DefaultRuntimeClass {
    nodeSelector = Map.copyOf(nodeSelector);
    overhead = Map.copyOf(overhead);
    features = Map.copyOf(features);
  }

  /// A class without overhead and declared features.
  public DefaultRuntimeClass(
      String name, String handler, Map<String, String> nodeSelector, String toleratedTaint) {
    this(name, handler, nodeSelector, toleratedTaint, Map.of(), Map.of());
  }

  /// A class with the name of its handler, for every node.
  static DefaultRuntimeClass of(
      String handler, Map<String, String> overhead, Map<String, String> features) {
    return new DefaultRuntimeClass(handler, handler, Map.of(), "", overhead, features);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "node.k8s.io/v1").put("kind", "RuntimeClass").put("handler", handler);
    json.putObject("metadata")
        .put("name", name)
        .putObject("annotations")
        .put("berth.dev/created-by", "berth up");
    features.forEach(json.withObject("/metadata/annotations")::put);
    if (!nodeSelector.isEmpty()) {
      nodeSelector.forEach(json.withObject("/scheduling/nodeSelector")::put);
    }
    if (!toleratedTaint.isEmpty()) {
      json.withArray("/scheduling/tolerations")
          .addObject()
          .put("key", toleratedTaint)
          .put("operator", "Equal")
          .put("value", "true")
          .put("effect", "NoSchedule");
    }
    overhead.forEach(json.withObject("/overhead/podFixed")::put);
    return json;
  }
}
