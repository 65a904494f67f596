package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.schema.ObjectType;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Builds field sets from objects and types.
final class FieldSets {
  private FieldSets() {}

  /// The fields of a configuration, which its applier owns.
  ///
  /// A declared object field with content is not a member itself: several managers share it, and
  /// each owns parts. An element of a map or list is a member, because its existence is a decision
  /// of its own; so are `null` and an empty object, which have no parts to own. The rules are those
  /// of upstream's structured-merge-diff.
  static FieldSet of(ObjectType type, ObjectNode object) throws UnkeyedException {
    return named(TypedSchema.of(type), object);
  }

  private static FieldSet below(TypedSchema typed, JsonNode value) throws UnkeyedException {
    if (typed.isLeaf() || TypedSchema.isEmpty(value)) {
      return FieldSet.EMPTY;
    }
    return typed.isList() ? items(typed, value) : named(typed, value);
  }

  private static FieldSet named(TypedSchema typed, JsonNode object) throws UnkeyedException {
    FieldSet.Builder level = new FieldSet.Builder();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String name = entry.getKey();
      JsonNode value = entry.getValue();
      TypedSchema part = name.equals(ManagedFields.FIELD) ? null : typed.named(name);
      if (part != null) {
        boolean member =
            part.isLeaf()
                || value.isNull()
                || (value.isObject() && value.isEmpty())
                || !typed.declares(name);
        level.add(new PathElement.Name(name), member, below(part, value));
      }
    }
    return level.build();
  }

  private static FieldSet items(TypedSchema list, JsonNode array) throws UnkeyedException {
    FieldSet.Builder level = new FieldSet.Builder();
    Set<PathElement> doubles = doubles(list, array);
    for (JsonNode item : array) {
      PathElement step = list.stepTo(item);
      // Nothing distinguishes elements with equal keys below the key, so they are owned as a whole.
      level.add(step, true, doubles.contains(step) ? FieldSet.EMPTY : below(list.element(), item));
    }
    return level.build();
  }

  private static Set<PathElement> doubles(TypedSchema list, JsonNode array)
      throws UnkeyedException {
    if (array.size() < 2) {
      return Set.of();
    }
    Set<PathElement> seen = new HashSet<>();
    Set<PathElement> doubles = new HashSet<>();
    for (JsonNode item : array) {
      PathElement step = list.stepTo(item);
      if (!seen.add(step)) {
        doubles.add(step);
      }
    }
    return doubles;
  }

  /// The set with all declared parent fields as members, so that removing all parts of an object
  /// removes the object too.
  static FieldSet withNamedFields(FieldSet set, ObjectType type) {
    return withNamedFields(set, TypedSchema.of(type));
  }

  private static FieldSet withNamedFields(FieldSet set, @Nullable TypedSchema typed) {
    if (typed == null) {
      return set;
    }
    FieldSet.Builder level = new FieldSet.Builder();
    for (FieldSet.Entry entry : set.entries()) {
      PathElement step = entry.element();
      boolean declared =
          step instanceof PathElement.Name(String name)
              && typed.declares(name)
              && !entry.children().isEmpty();
      level.add(
          step, entry.member() || declared, withNamedFields(entry.children(), typed.part(step)));
    }
    return level.build();
  }
}
