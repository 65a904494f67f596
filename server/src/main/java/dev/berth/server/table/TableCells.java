package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads values of object trees for cells; absent values are empty.
final class TableCells {
  static final String NONE = "<none>";

  private TableCells() {}

  static JsonNode at(JsonNode node, String... path) {
    JsonNode value = node;
    for (String name : path) {
      value = value.path(name);
    }
    return value;
  }

  static String text(JsonNode node, String... path) {
    JsonNode value = at(node, path);
    return value.isTextual() ? value.textValue() : "";
  }

  static String textOr(String fallback, JsonNode node, String... path) {
    String text = text(node, path);
    return text.isEmpty() ? fallback : text;
  }

  static int number(JsonNode node, String... path) {
    return at(node, path).asInt(0);
  }

  static String name(ObjectNode object) {
    return text(object, "metadata", "name");
  }

  static String age(ObjectNode object, Instant now) {
    return HumanDuration.since(text(object, "metadata", "creationTimestamp"), now);
  }

  /// Whether the condition is there and True.
  static boolean condition(JsonNode object, String type) {
    return "True".equals(conditionStatus(object, type));
  }

  /// `True`, `False`, `Unknown`, or empty when there is no such condition.
  ///
  /// The last one counts if a condition occurs twice.
  static String conditionStatus(JsonNode object, String type) {
    String status = "";
    for (JsonNode condition : at(object, "status", "conditions")) {
      if (text(condition, "type").equals(type)) {
        status = text(condition, "status");
      }
    }
    return status;
  }

  /// Joins one property of every element; elements without it give empty places.
  static String joined(String separator, JsonNode list, String property) {
    List<String> values = new ArrayList<>();
    for (JsonNode element : list) {
      values.add(text(element, property));
    }
    return String.join(separator, values);
  }

  static String containerNames(ObjectNode object) {
    return joined(",", at(object, "spec", "template", "spec", "containers"), "name");
  }

  static String containerImages(ObjectNode object) {
    return joined(",", at(object, "spec", "template", "spec", "containers"), "image");
  }

  static String joined(JsonNode strings) {
    List<String> values = new ArrayList<>();
    strings.forEach(value -> values.add(value.asText()));
    return String.join(",", values);
  }

  /// A map of labels as `a=b,c=d`, sorted by key, `<none>` when it is empty.
  static String labels(JsonNode map) {
    Map<String, String> sorted = new TreeMap<>();
    map.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asText()));
    List<String> pairs = new ArrayList<>();
    sorted.forEach((key, value) -> pairs.add(key + "=" + value));
    return pairs.isEmpty() ? NONE : String.join(",", pairs);
  }
}
