package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The paths in which two objects of one type differ.
///
/// A change of the value of a container itself never is a modification; only its parts differ. A
/// container that appears or disappears is added or removed together with all its parts.
public record ObjectComparison(FieldSet added, FieldSet modified, FieldSet removed) {

  /// Compares two objects in normal form; `metadata.managedFields` is not looked at.
  static ObjectComparison of(ObjectType type, ObjectNode old, ObjectNode current)
      throws UnkeyedException {
    Level root = new Level();
    compareNamed(TypedSchema.of(type), old, current, root);
    return new ObjectComparison(root.added.build(), root.modified.build(), root.removed.build());
  }

  boolean isEmpty() {
    return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
  }

  /// The added and modified paths, which the writer now owns.
  FieldSet written() {
    return added.union(modified);
  }

  ObjectComparison without(FieldSet ignored) {
    return ignored.isEmpty()
        ? this
        : new ObjectComparison(
            added.recursiveDifference(ignored),
            modified.recursiveDifference(ignored),
            removed.recursiveDifference(ignored));
  }

  /// The differences inside of one container.
  private static final class Level {
    final FieldSet.Builder added = new FieldSet.Builder();
    final FieldSet.Builder modified = new FieldSet.Builder();
    final FieldSet.Builder removed = new FieldSet.Builder();
  }

  // Patches share unchanged nodes with the old object, so identical nodes need no comparison.
  @SuppressWarnings("ReferenceEquality")
  private static void compare(
      PathElement step,
      TypedSchema typed,
      @Nullable JsonNode old,
      @Nullable JsonNode current,
      Level level)
      throws UnkeyedException {
    if (old == current) {
      return;
    }
    if (typed.isLeaf() || (TypedSchema.isEmpty(old) && TypedSchema.isEmpty(current))) {
      if (old == null) {
        level.added.add(step, true, FieldSet.EMPTY);
      } else if (current == null) {
        level.removed.add(step, true, FieldSet.EMPTY);
      } else if (!JsonValues.equal(old, current)) {
        level.modified.add(step, true, FieldSet.EMPTY);
      }
      return;
    }
    Level inner = new Level();
    if (typed.isList()) {
      compareItems(typed, old, current, inner);
    } else {
      compareNamed(typed, old, current, inner);
    }
    level.added.add(step, old == null, inner.added.build());
    level.modified.add(step, false, inner.modified.build());
    level.removed.add(step, current == null, inner.removed.build());
  }

  private static void compareNamed(
      TypedSchema typed, @Nullable JsonNode old, @Nullable JsonNode current, Level level)
      throws UnkeyedException {
    if (current != null) {
      for (Map.Entry<String, JsonNode> entry : current.properties()) {
        String name = entry.getKey();
        JsonNode previous = old == null ? null : old.get(name);
        compareNamed(typed, name, previous, entry.getValue(), level);
      }
    }
    if (old != null) {
      for (Map.Entry<String, JsonNode> entry : old.properties()) {
        String name = entry.getKey();
        if (current == null || !current.has(name)) {
          compareNamed(typed, name, entry.getValue(), null, level);
        }
      }
    }
  }

  private static void compareNamed(
      TypedSchema typed,
      String name,
      @Nullable JsonNode old,
      @Nullable JsonNode current,
      Level level)
      throws UnkeyedException {
    TypedSchema part = name.equals(ManagedFields.FIELD) ? null : typed.named(name);
    if (part != null) {
      compare(new PathElement.Name(name), part, old, current, level);
    }
  }

  /// The elements with one key, before and after; stored objects may contain duplicates.
  private static final class Twins {
    final List<JsonNode> old = new ArrayList<>(1);
    final List<JsonNode> current = new ArrayList<>(1);
  }

  private static void compareItems(
      TypedSchema list, @Nullable JsonNode old, @Nullable JsonNode current, Level level)
      throws UnkeyedException {
    Map<PathElement, Twins> items = new LinkedHashMap<>();
    if (old != null) {
      for (JsonNode item : old) {
        items.computeIfAbsent(list.stepTo(item), _ -> new Twins()).old.add(item);
      }
    }
    if (current != null) {
      for (JsonNode item : current) {
        items.computeIfAbsent(list.stepTo(item), _ -> new Twins()).current.add(item);
      }
    }
    for (Map.Entry<PathElement, Twins> item : items.entrySet()) {
      compareTwins(list.element(), item.getKey(), item.getValue(), level);
    }
  }

  private static void compareTwins(TypedSchema element, PathElement step, Twins twins, Level level)
      throws UnkeyedException {
    JsonNode old = twins.old.isEmpty() ? null : twins.old.getFirst();
    JsonNode current = twins.current.isEmpty() ? null : twins.current.getFirst();
    // Duplicate elements have no partner to compare with, so a change of one of them is a change of
    // all. An element that becomes or ceases to be a duplicate counts as added or removed.
    boolean wasDouble = twins.old.size() > 1;
    boolean isDouble = twins.current.size() > 1;
    if (!wasDouble && !isDouble) {
      compare(step, element, old, current, level);
    } else if (wasDouble && isDouble) {
      if (!twins.old.equals(twins.current)) {
        level.modified.add(step, true, FieldSet.EMPTY);
      }
    } else if (wasDouble) {
      if (current != null) {
        compare(step, element, null, current, level);
      }
      level.removed.add(step, true, FieldSet.EMPTY);
    } else {
      if (old != null) {
        compare(step, element, old, null, level);
      }
      level.added.add(step, true, FieldSet.EMPTY);
    }
  }
}
