package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import java.util.Map;

/// Takes the paths of a set out of an object.
final class PathRemoval {
  private PathRemoval() {}

  /// The object without the paths; what becomes empty is `null`, so that it still differs from
  /// never having been there.
  static ObjectNode remove(ObjectType type, ObjectNode object, FieldSet paths)
      throws UnkeyedException {
    JsonNode rest = paths.isEmpty() ? object : remove(TypedSchema.of(type), object, paths);
    return rest instanceof ObjectNode kept ? kept : JsonTrees.object();
  }

  private static JsonNode remove(TypedSchema typed, JsonNode value, FieldSet paths)
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

  private static JsonNode removeNamed(TypedSchema typed, JsonNode object, FieldSet paths)
      throws UnkeyedException {
    ObjectNode kept = JsonTrees.object();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String name = entry.getKey();
      PathElement step = new PathElement.Name(name);
      if (paths.contains(step)) {
        continue;
      }
      FieldSet below = paths.under(step);
      TypedSchema part = below.isEmpty() ? null : typed.named(name);
      kept.set(name, part == null ? entry.getValue() : remove(part, entry.getValue(), below));
    }
    return kept.isEmpty() ? NullNode.instance : kept;
  }

  private static JsonNode removeItems(TypedSchema list, JsonNode array, FieldSet paths)
      throws UnkeyedException {
    ArrayNode kept = JsonTrees.array();
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
