package dev.berth.client.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import java.util.List;

/// How the fake server selects, pages and shows objects, and merges patches.
///
/// Continue tokens are `REVISION:KEY`; a token expires when the history was forgotten, as a
/// compaction would do.
final class FakeLists {
  private FakeLists() {}

  static ObjectNode list(FakeState state, FakePath path, boolean metadataOnly) {
    String continued = path.parameter("continue");
    int limit = path.parameter("limit").isEmpty() ? 0 : Integer.parseInt(path.parameter("limit"));
    long revision = state.revision();
    String after = "";
    if (!continued.isEmpty()) {
      int colon = continued.indexOf(':');
      revision = Long.parseLong(continued.substring(0, colon));
      after = continued.substring(colon + 1);
      // The page itself is of the newest state; the token's revision is only reported, which
      // suffices to test how a client goes on.
      if (state.eventsAfter(revision).isEmpty()) {
        throw new FakeRefusal(410, "Expired", "", "The provided continue parameter is too old");
      }
    }
    String start = after;
    List<ObjectNode> all =
        state.of(path.type()).values().stream()
            .filter(object -> matches(object, path))
            .filter(object -> order(object).compareTo(start) > 0)
            .toList();
    int end = limit == 0 ? all.size() : Math.min(all.size(), limit);
    ObjectNode answer = FakeApi.MAPPER.createObjectNode().put("kind", "List");
    ObjectNode metadata = answer.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(revision));
    if (end < all.size()) {
      metadata.put("continue", revision + ":" + order(all.get(end - 1)));
    }
    ArrayNode items = answer.putArray("items");
    for (ObjectNode object : all.subList(0, end)) {
      ObjectNode item = show(object, metadataOnly).deepCopy();
      item.remove(List.of("kind", "apiVersion"));
      items.add(item);
    }
    return answer;
  }

  private static String order(ObjectNode object) {
    ObjectKey key = FakeState.key(object);
    return key.namespace() + "\u0000" + key.name();
  }

  /// The fake knows only the selectors that the loops use: equality of labels and three fields.
  static boolean matches(ObjectNode object, FakePath path) {
    ObjectKey key = FakeState.key(object);
    String namespace = path.key().namespace();
    if (!namespace.isEmpty() && !namespace.equals(key.namespace())) {
      return false;
    }
    for (String term : path.parameter("fieldSelector").split(",", -1)) {
      String node = object.path("spec").path("nodeName").asText();
      if (!term.isEmpty()
          && !term.equals("metadata.name=" + key.name())
          && !term.equals("spec.nodeName=" + node)
          && !term.equals("type=" + object.path("type").asText())) {
        return false;
      }
    }
    for (String term : path.parameter("labelSelector").split(",", -1)) {
      int equals = term.indexOf('=');
      if (equals > 0) {
        JsonNode label = object.path("metadata").path("labels").path(term.substring(0, equals));
        if (!label.asText().equals(term.substring(equals + 1))) {
          return false;
        }
      }
    }
    return true;
  }

  static ObjectNode show(ObjectNode object, boolean metadataOnly) {
    if (!metadataOnly || !object.has("metadata")) {
      return object;
    }
    ObjectNode partial = FakeApi.MAPPER.createObjectNode();
    partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
    partial.set("metadata", object.get("metadata"));
    return partial;
  }

  /// Merges like a strategic merge patch: conditions by their type, addresses of pods by value, all
  /// else by RFC 7386.
  static void mergeStrategically(ObjectNode into, ObjectNode patch) {
    ObjectNode rest = patch.deepCopy();
    JsonNode changed = rest.path("status").path("conditions");
    if (changed.isArray()) {
      ArrayNode merged = FakeApi.MAPPER.createArrayNode();
      into.path("status").path("conditions").forEach(merged::add);
      changed.forEach(one -> mergeByType(merged, (ObjectNode) one));
      rest.withObject("/status").set("conditions", merged);
    }
    for (String field : List.of("podIPs", "hostIPs")) {
      JsonNode addresses = rest.path("status").path(field);
      if (addresses.isArray()) {
        rest.withObject("/status")
            .set(field, mergeByAddress(into.at("/status/" + field), addresses));
      }
    }
    merge(into, rest);
  }

  /// What is new comes after what was there, unless the list is to be replaced.
  private static ArrayNode mergeByAddress(JsonNode before, JsonNode changed) {
    ArrayNode merged = FakeApi.MAPPER.createArrayNode();
    boolean isReplaced =
        changed.valueStream().anyMatch(one -> one.path("$patch").asText().equals("replace"));
    if (!isReplaced) {
      before.forEach(merged::add);
    }
    changed
        .valueStream()
        .filter(one -> !one.has("$patch"))
        .filter(one -> merged.valueStream().noneMatch(one::equals))
        .forEach(merged::add);
    return merged;
  }

  private static void mergeByType(ArrayNode conditions, ObjectNode changed) {
    for (JsonNode condition : conditions) {
      if (condition.path("type").equals(changed.path("type"))) {
        merge((ObjectNode) condition, changed);
        return;
      }
    }
    conditions.add(changed);
  }

  /// RFC 7386.
  static void merge(ObjectNode into, ObjectNode patch) {
    patch
        .properties()
        .forEach(
            entry -> {
              JsonNode value = entry.getValue();
              if (value.isNull()) {
                into.remove(entry.getKey());
              } else if (value instanceof ObjectNode inner
                  && into.get(entry.getKey()) instanceof ObjectNode present) {
                merge(present, inner);
              } else {
                into.set(entry.getKey(), value.deepCopy());
              }
            });
  }
}
