package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import java.util.Map;

/// Removes the paths of a set from an object.
final class PathRemoval {
  private PathRemoval() {}

  /// Returns the object without the paths; emptied containers become `null`, which differs from
  /// absence.
  ///
  /// The object itself is not changed. Elements of lists that are not removed keep their order.
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
    // A path inside of an atomic value is from an older schema: the whole value is removed.
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
