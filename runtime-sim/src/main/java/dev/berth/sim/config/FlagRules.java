package dev.berth.sim.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/// Merges the flags of a command line into the configuration of a file. Flags win.
///
/// Flags become fields of the same document, so that one reader checks both and its messages name
/// the same fields.
public final class FlagRules {
  private static final String MESSAGE = "message=";

  private FlagRules() {}

  /// Returns the merged configuration.
  ///
  /// @param settings fields of the service; a dot separates the fields of nested objects, as in
  ///   `pulls.latency`
  /// @param rules entries to append to lists such as `faults`, written as `call=Version,latency=1s`
  public static JsonNode merged(
      JsonNode file,
      Map<String, String> settings,
      Map<String, List<String>> rules,
      ConfigErrors mistakes) {
    boolean empty = settings.isEmpty() && rules.values().stream().allMatch(List::isEmpty);
    // No flag could say which of the services it means.
    if (file.has("services") && !empty) {
      mistakes.add("", "flags describe one service, and the file has several");
      return file;
    }
    if (empty) {
      return file.isMissingNode() ? JsonNodeFactory.instance.objectNode() : file;
    }
    ObjectNode merged =
        file instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    settings.forEach((key, value) -> put(merged, key, value));
    rules.forEach((key, texts) -> add(merged, key, texts, mistakes));
    return merged;
  }

  private static void put(ObjectNode node, String key, String value) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      node.put(key, value);
    } else {
      put(node.withObjectProperty(key.substring(0, dot)), key.substring(dot + 1), value);
    }
  }

  private static void add(ObjectNode node, String key, List<String> texts, ConfigErrors mistakes) {
    for (String text : texts) {
      ArrayNode list = node.withArrayProperty(key);
      list.add(rule(text, key + "[" + list.size() + "]", mistakes));
    }
  }

  /// Reads `key=value,key=value`. A message comes last, because it may contain commas.
  private static ObjectNode rule(String text, String place, ConfigErrors mistakes) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    int message = text.startsWith(MESSAGE) ? 0 : text.indexOf("," + MESSAGE);
    String pairs = text;
    if (message >= 0) {
      int from = text.indexOf(MESSAGE, message) + MESSAGE.length();
      rule.put("message", text.substring(from));
      pairs = text.substring(0, message);
    }
    for (String pair : pairs.isEmpty() ? new String[0] : pairs.split(",", -1)) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2) {
        rule.put(parts[0], parts[1]);
      } else {
        mistakes.add(place, "\"" + pair + "\" is not key=value");
      }
    }
    return rule;
  }
}
