package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.PathElement.Key.Part;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The JSON form of a field set: `{"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{}}}}`.
public final class FieldsV1 {
  /// Marks the container itself.
  private static final String SELF = ".";

  private FieldsV1() {}

  public static ObjectNode encode(FieldSet set) {
    return encode(set, JsonTrees.object());
  }

  private static ObjectNode encode(FieldSet set, ObjectNode into) {
    for (FieldSet.Entry entry : set.entries()) {
      ObjectNode below = JsonTrees.object();
      if (entry.member() && !entry.children().isEmpty()) {
        below.set(SELF, JsonTrees.object());
      }
      into.set(entry.element().encoded(), encode(entry.children(), below));
    }
    return into;
  }

  /// Decodes a set; like upstream, skips path elements of unknown type and throws on other errors.
  public static FieldSet decode(JsonNode json) throws JsonSyntaxException {
    if (!json.isObject()) {
      throw new JsonSyntaxException("fieldsV1 must be an object");
    }
    FieldSet.Builder level = new FieldSet.Builder();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      String key = entry.getKey();
      if (key.equals(SELF) || !isKnown(key)) {
        continue;
      }
      FieldSet below = decode(entry.getValue());
      boolean member = entry.getValue().has(SELF) || entry.getValue().isEmpty();
      level.add(element(key), member, below);
    }
    return level.build();
  }

  private static boolean isKnown(String key) {
    return key.length() >= 2 && key.charAt(1) == ':' && "fkvi".indexOf(key.charAt(0)) >= 0;
  }

  private static PathElement element(String key) throws JsonSyntaxException {
    String text = key.substring(2);
    return switch (key.charAt(0)) {
      case 'f' -> new PathElement.Name(text);
      case 'k' -> new PathElement.Key(parts(parse(text)));
      case 'v' -> new PathElement.Item(parse(text));
      default -> new PathElement.Index(index(text));
    };
  }

  private static JsonNode parse(String text) throws JsonSyntaxException {
    return JsonTrees.parse(text.getBytes(StandardCharsets.UTF_8)).tree();
  }

  private static List<Part> parts(JsonNode key) throws JsonSyntaxException {
    if (!key.isObject() || key.isEmpty()) {
      throw new JsonSyntaxException("a list key must be an object with at least one field");
    }
    List<Part> parts = new ArrayList<>(key.size());
    key.properties().forEach(part -> parts.add(new Part(part.getKey(), part.getValue())));
    parts.sort(Comparator.comparing(Part::name));
    return parts;
  }

  private static int index(String text) throws JsonSyntaxException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new JsonSyntaxException("a list position must be a number, not " + text);
    }
  }
}
