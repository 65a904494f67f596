package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Builds the strategic merge patch between two statuses, limited to the agent's own fields, so
/// that other writers' fields are never touched.
final class StatusDiff {
  private static final List<String> OURS =
      List.of(
          "phase",
          "reason",
          "message",
          "conditions",
          "hostIP",
          "hostIPs",
          "podIP",
          "podIPs",
          "startTime",
          "initContainerStatuses",
          "containerStatuses",
          "ephemeralContainerStatuses",
          "qosClass",
          "resize");

  private StatusDiff() {}

  /// The patch; empty when nothing changed.
  static ObjectNode patch(JsonNode before, ObjectNode after) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    OURS.stream()
        .filter(field -> !before.path(field).equals(after.path(field)))
        .forEach(field -> change(patch, field, before, after));
    return patch;
  }

  private static void change(ObjectNode patch, String field, JsonNode before, ObjectNode after) {
    JsonNode value = after.get(field);
    switch (field) {
      case "conditions" -> {
        ArrayNode changed = changedConditions(before.path(field), after.path(field));
        if (!changed.isEmpty()) {
          patch.set(field, changed);
        }
      }
      // The API merges these lists by address; the `$patch: replace` directive replaces them.
      case "podIPs", "hostIPs" -> {
        ArrayNode all = patch.putArray(field);
        if (!before.path(field).isEmpty()) {
          all.addObject().put("$patch", "replace");
        }
        after.path(field).forEach(all::add);
      }
      default -> patch.set(field, value == null ? JsonNodeFactory.instance.nullNode() : value);
    }
  }

  private static ArrayNode changedConditions(JsonNode before, JsonNode after) {
    ArrayNode changed = JsonNodeFactory.instance.arrayNode();
    for (JsonNode condition : after) {
      String type = condition.path("type").asText();
      if (!PodConditions.isOurs(condition)) {
        continue;
      }
      JsonNode known = find(before, "type", type);
      if (!known.isObject()) {
        changed.add(condition);
      } else if (!withoutNulls(known).equals(withoutNulls(condition))) {
        changed.add(naming(known, (ObjectNode) condition.deepCopy()));
      }
    }
    return changed;
  }

  /// Adds deletion directives for removed entries.
  private static ObjectNode naming(JsonNode before, ObjectNode condition) {
    before
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!condition.has(field)) {
                condition.putNull(field);
              }
            });
    return condition;
  }

  private static ObjectNode withoutNulls(JsonNode condition) {
    ObjectNode bare = condition.deepCopy();
    bare.properties().removeIf(entry -> entry.getValue().isNull());
    return bare;
  }

  static JsonNode find(JsonNode list, String key, String value) {
    for (JsonNode one : list) {
      if (one.path(key).asText().equals(value)) {
        return one;
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }
}
