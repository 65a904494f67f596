package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.server.fields.PathElement.Key.Part;
import dev.berth.server.json.Json;
import dev.berth.server.schema.Field;
import dev.berth.server.schema.Merge;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What apply sees in a place of the schema: the shape of the value and how it merges.
record Typed(Shape shape, Merge merge) {

  static Typed of(ObjectType type) {
    return new Typed(new Shape.Struct(type), Merge.NONE);
  }

  static Typed of(Field field) {
    return new Typed(field.shape(), field.merge());
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
      case Shape.Scalar _ -> true;
      case Shape.ListOf _ -> merge.listType() == Merge.ListType.ATOMIC;
      case Shape.MapOf _ -> merge.atomicMap();
      case Shape.Struct(ObjectType type) -> type.atomic() || merge.atomicMap();
    };
  }

  boolean isList() {
    return shape instanceof Shape.ListOf;
  }

  /// The type of a named part; null when the schema does not have it.
  @Nullable Typed named(String name) {
    return switch (shape) {
      case Shape.Struct(ObjectType type) -> {
        Field field = type.field(name);
        yield field == null ? null : of(field);
      }
      case Shape.MapOf(Shape value) -> new Typed(value, Merge.NONE);
      case Shape.ListOf _, Shape.Scalar _ -> null;
    };
  }

  /// The type of every element of a list.
  Typed element() {
    return shape instanceof Shape.ListOf(Shape inner) ? new Typed(inner, Merge.NONE) : this;
  }

  /// The name is a field of an object, not a key of a map.
  boolean declares(String name) {
    return shape instanceof Shape.Struct(ObjectType type) && type.field(name) != null;
  }

  @Nullable Typed part(PathElement step) {
    return switch (step) {
      case PathElement.Name(String name) -> named(name);
      case PathElement.Key _, PathElement.Item _, PathElement.Index _ ->
          isList() ? element() : null;
    };
  }

  /// The step that leads to an element of a set or an associative list.
  PathElement stepTo(JsonNode item) throws UnkeyedException {
    if (merge.listType() == Merge.ListType.SET) {
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
    Field field =
        element().shape() instanceof Shape.Struct(ObjectType type) ? type.field(key) : null;
    if (field != null && !field.schemaDefault().isEmpty()) {
      return Json.parseTrusted(field.schemaDefault().getBytes(StandardCharsets.UTF_8));
    }
    // A name that may be empty is absent in normal form.
    if (field != null && field.omitEmpty() && field.shape() == Shape.Scalar.STRING) {
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
