package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.server.fields.PathElement.Key.Part;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.MergeRule;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What apply sees in a place of the schema: the shape of the value and how it merges.
record TypedSchema(ValueShape shape, MergeRule merge) {

  static TypedSchema of(ObjectType type) {
    return new TypedSchema(new ValueShape.Struct(type), MergeRule.NONE);
  }

  static TypedSchema of(SchemaField field) {
    return new TypedSchema(field.shape(), field.merge());
  }

  /// A list whose element cannot be told from the others, in upstream's words.
  static final class UnkeyedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnkeyedException(String message) {
      super(message);
    }
  }

  /// Owned as one piece: scalars, and containers that the schema calls atomic.
  boolean isLeaf() {
    return switch (shape) {
      case ValueShape.Scalar _ -> true;
      case ValueShape.ListOf _ -> merge.listType() == MergeRule.ListType.ATOMIC;
      case ValueShape.MapOf _ -> merge.atomicMap();
      case ValueShape.Struct(ObjectType type) -> type.atomic() || merge.atomicMap();
    };
  }

  boolean isList() {
    return shape instanceof ValueShape.ListOf;
  }

  /// The type of a named part; null when the schema does not have it.
  @Nullable TypedSchema named(String name) {
    return switch (shape) {
      case ValueShape.Struct(ObjectType type) -> {
        SchemaField field = type.field(name);
        yield field == null ? null : of(field);
      }
      case ValueShape.MapOf(ValueShape value) -> new TypedSchema(value, MergeRule.NONE);
      case ValueShape.ListOf _, ValueShape.Scalar _ -> null;
    };
  }

  /// The type of every element of a list.
  TypedSchema element() {
    return shape instanceof ValueShape.ListOf(ValueShape inner)
        ? new TypedSchema(inner, MergeRule.NONE)
        : this;
  }

  /// The name is a field of an object, not a key of a map.
  boolean declares(String name) {
    return shape instanceof ValueShape.Struct(ObjectType type) && type.field(name) != null;
  }

  @Nullable TypedSchema part(PathElement step) {
    return switch (step) {
      case PathElement.Name(String name) -> named(name);
      case PathElement.Key _, PathElement.Item _, PathElement.Index _ ->
          isList() ? element() : null;
    };
  }

  /// The step that leads to an element of a set or an associative list.
  PathElement stepTo(JsonNode item) throws UnkeyedException {
    if (merge.listType() == MergeRule.ListType.SET) {
      if (item.isContainerNode()) {
        throw new UnkeyedException(
            item.isObject()
                ? "associative list without keys has an element that's a map type"
                : "not supporting lists inside sets");
      }
      return new PathElement.Item(item);
    }
    if (!item.isObject()) {
      throw new UnkeyedException(
          item.isNull()
              ? "associative list with keys may not have a null element"
              : "associative list with keys may not have non-map elements");
    }
    List<String> keys = merge.listKeys();
    if (keys.size() == 1) {
      return new PathElement.Key(List.of(part(item, keys.getFirst())));
    }
    List<Part> parts = new ArrayList<>(keys.size());
    for (String key : keys) {
      parts.add(part(item, key));
    }
    parts.sort(Comparator.comparing(Part::name));
    return new PathElement.Key(parts);
  }

  private Part part(JsonNode item, String key) throws UnkeyedException {
    JsonNode value = item.get(key);
    return new Part(key, value == null ? defaultOf(key) : value);
  }

  private JsonNode defaultOf(String key) throws UnkeyedException {
    SchemaField field =
        element().shape() instanceof ValueShape.Struct(ObjectType type) ? type.field(key) : null;
    if (field != null && !field.schemaDefault().isEmpty()) {
      return JsonTrees.parseTrusted(field.schemaDefault().getBytes(StandardCharsets.UTF_8));
    }
    // A name that may be empty is absent in normal form.
    if (field != null && field.omitEmpty() && field.shape() == ValueShape.Scalar.STRING) {
      return TextNode.valueOf("");
    }
    throw new UnkeyedException(
        "associative list with keys has an element that omits key field \"%s\" (and doesn't have"
                .formatted(key)
            + " default value)");
  }

  static boolean isEmpty(@Nullable JsonNode value) {
    return value == null || value.isNull() || (value.isContainerNode() && value.isEmpty());
  }
}
