package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Reads common parts of API objects; missing parts are empty.
final class ObjectTrees {
  private ObjectTrees() {}

  static Map<String, String> texts(JsonNode object) {
    if (object.isEmpty()) {
      return Map.of();
    }
    Map<String, String> texts = HashMap.newHashMap(object.size());
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return Map.copyOf(texts);
  }

  static <T> List<T> each(JsonNode array, Function<JsonNode, T> read) {
    if (array.isEmpty()) {
      return List.of();
    }
    List<T> items = new ArrayList<>(array.size());
    array.forEach(item -> items.add(read.apply(item)));
    return List.copyOf(items);
  }
}
