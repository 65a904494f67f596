package dev.berth.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/// ConfigMaps with one value each: the registers of the workloads. ConfigMaps have no controller,
/// so that nobody else changes them.
final class ConfigMaps {
  static final String NAMESPACE = "default";
  static final String COLLECTION = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";

  private ConfigMaps() {}

  static String path(String name) {
    return COLLECTION + "/" + name;
  }

  /// @param revision the required current revision; 0 for any
  static String json(String name, String value, long revision) {
    ObjectNode object = ApiCaller.MAPPER.createObjectNode();
    object.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (revision > 0) {
      metadata.put("resourceVersion", Long.toString(revision));
    }
    object.putObject("data").put("value", value);
    return object.toString();
  }

  static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  static String value(JsonNode object) {
    return object.path("data").path("value").asText();
  }

  static long revision(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asLong();
  }

  /// The values of a list by name.
  static Map<String, String> values(JsonNode list) {
    Map<String, String> values = new HashMap<>();
    list.path("items").forEach(item -> values.put(name(item), value(item)));
    return values;
  }
}
