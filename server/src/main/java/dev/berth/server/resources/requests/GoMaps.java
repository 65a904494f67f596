package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Prints a tree as Go prints maps: `map[spec:map[zz:1]]`; only messages need it.
public final class GoMaps {
  private GoMaps() {}

  public static String print(JsonNode value) {
    if (value.isObject()) {
      TreeMap<String, String> entries = new TreeMap<>();
      value.properties().forEach(e -> entries.put(e.getKey(), print(e.getValue())));
      List<String> texts = new ArrayList<>();
      entries.forEach((key, text) -> texts.add(key + ":" + text));
      return "map[" + String.join(" ", texts) + "]";
    }
    if (value.isArray()) {
      List<String> texts = new ArrayList<>();
      value.forEach(element -> texts.add(print(element)));
      return "[" + String.join(" ", texts) + "]";
    }
    return value.isNull() ? "<nil>" : value.asText();
  }
}
