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

/// A node of the schema as apply sees it: the shape of the value and its merge rule.
///
/// Three rules matter: an associative list has elements with keys, a set has scalars as its own
/// keys, everything atomic changes owner as a whole. `types.tsv` has the merge rules of upstream's
/// published schema.
record TypedSchema(ValueShape shape, MergeRule merge) {

  static TypedSchema of(ObjectType type) {
    return new TypedSchema(new ValueShape.Struct(type), MergeRule.NONE);
  }

  static TypedSchema of(SchemaField field) {
    return new TypedSchema(field.shape(), field.merge());
  }

  /// An element of an associative list lacks its key; the message is upstream's.
  static final class UnkeyedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnkeyedException(String message) {
      super(message);
    }
  }

  /// Whether the value has one owner as a whole: scalars and atomic containers.
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

  /// The schema of a field or map entry; null when it does not exist.
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

  /// The schema of list elements.
  TypedSchema element() {
    return shape instanceof ValueShape.ListOf(ValueShape inner)
        ? new TypedSchema(inner, MergeRule.NONE)
        : this;
  }

  /// Whether the name is a declared field, not a key of a map.
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

  /// The path element of an element of a set or an associative list.
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
    // Most lists have one key, and this method runs for every element of every write.
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
    // Only defaults that the schema declares count, such as `protocol: TCP` of a port: the key must
    // be the same before and after defaulting.
    if (field != null && !field.schemaDefault().isEmpty()) {
      return JsonTrees.parseTrusted(field.schemaDefault().getBytes(StandardCharsets.UTF_8));
    }
    // Normal form omits an empty key.
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
