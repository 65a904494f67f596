package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.Typed.UnkeyedException;
import dev.berth.server.json.Json;
import dev.berth.server.schema.ObjectType;
import java.util.Map;

/// Takes the paths of a set out of an object.
final class Removal {
  private Removal() {}

  /// The object without the paths; what becomes empty is `null`, so that it still differs from
  /// never having been there.
  static ObjectNode remove(ObjectType type, ObjectNode object, FieldSet paths)
      throws UnkeyedException {
    JsonNode rest = paths.isEmpty() ? object : remove(Typed.of(type), object, paths);
    return rest instanceof ObjectNode kept ? kept : Json.object();
  }

  private static JsonNode remove(Typed typed, JsonNode value, FieldSet paths)
      throws UnkeyedException {
    if (!value.isContainerNode()) {
      return value;
    }
    // Paths inside of something atomic come from a time when it was not: all of it goes.
    if (value.isEmpty() || typed.isLeaf()) {
      return NullNode.instance;
    }
    return typed.isList() ? removeItems(typed, value, paths) : removeNamed(typed, value, paths);
  }

  private static JsonNode removeNamed(Typed typed, JsonNode object, FieldSet paths)
      throws UnkeyedException {
    ObjectNode kept = Json.object();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String name = entry.getKey();
      PathElement step = new PathElement.Name(name);
      if (paths.contains(step)) {
        continue;
      }
      FieldSet below = paths.under(step);
      Typed part = below.isEmpty() ? null : typed.named(name);
      kept.set(name, part == null ? entry.getValue() : remove(part, entry.getValue(), below));
    }
    return kept.isEmpty() ? NullNode.instance : kept;
  }

  private static JsonNode removeItems(Typed list, JsonNode array, FieldSet paths)
      throws UnkeyedException {
    ArrayNode kept = Json.array();
    for (JsonNode item : array) {
      PathElement step = list.stepTo(item);
      if (paths.contains(step)) {
        continue;
      }
      FieldSet below = paths.under(step);
      kept.add(below.isEmpty() ? item : remove(list.element(), item, below));
    }
    return kept.isEmpty() ? NullNode.instance : kept;
  }
}
