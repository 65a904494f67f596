package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.MergeRule;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Strategic merge patch: a merge patch that merges lists by the keys that the type declares.
///
/// The directives are `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/x` and
/// `$setElementOrder/x`.
///
/// `kubectl edit`, `kubectl patch` and client-side `kubectl apply` use it for built-in kinds. A
/// patch is only decoded as JSON; the verb checks the result against the type afterwards.
public final class StrategicMergePatch {
  private StrategicMergePatch() {}

  public static ObjectNode apply(ObjectType type, ObjectNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      throw ApiException.badRequest(
          "json: cannot unmarshal %s into Go value of type map[string]interface {}"
              .formatted(GoFormat.jsonWord(patch)));
    }
    return mergeObject(target.deepCopy(), changes.deepCopy(), new ValueShape.Struct(type));
  }

  /// Merges into the given object and consumes the patch; both are private copies.
  static ObjectNode mergeObject(ObjectNode target, ObjectNode patch, ValueShape shape) {
    JsonNode directive = patch.remove(PatchDirectives.PATCH);
    if (directive != null) {
      switch (directive.asText()) {
        case PatchDirectives.REPLACE -> {
          // The rest of the patch is the new value; the old one is dropped without a look at it.
          return patch;
        }
        case PatchDirectives.DELETE -> {
          return JsonTrees.object();
        }
        case PatchDirectives.MERGE -> {}
        default ->
            throw PatchDirectives.unknown(directive, patch.set(PatchDirectives.PATCH, directive));
      }
    }
    // The order matters: keys are dropped and lists ordered before the other fields merge, because
    // both directives are removed from the patch that is then merged.
    retainKeys(target, patch);
    orderLists(target, patch, shape);
    for (Map.Entry<String, JsonNode> change : patch.properties()) {
      mergeField(target, change.getKey(), change.getValue(), shape);
    }
    return target;
  }

  private static void mergeField(ObjectNode target, String key, JsonNode change, ValueShape shape) {
    boolean deletion = key.startsWith(PatchDirectives.DELETE_FROM_LIST);
    String name = deletion ? PatchDirectives.listName(key, PatchDirectives.DELETE_FROM_LIST) : key;
    JsonNode old = target.get(name);
    if (change.isNull()) {
      target.remove(name);
    } else if (old instanceof ObjectNode object && change instanceof ObjectNode nested) {
      target.set(name, mergeObject(object, nested, child(shape, name).shape()));
    } else if (old instanceof ArrayNode list && change instanceof ArrayNode changes) {
      target.set(name, mergeList(list, changes, child(shape, name), deletion));
    } else if (!deletion) {
      JsonNode plain = PatchDirectives.strip(change);
      if (plain != null) {
        target.set(name, plain);
      }
    }
  }

  private static JsonNode mergeList(
      ArrayNode list, ArrayNode changes, Child child, boolean deletion) {
    // Deletion also works on lists that are otherwise replaced as a whole.
    if (deletion) {
      return ListMerge.without(list, changes);
    }
    return child.merge().patchMerge() ? ListMerge.of(child).merge(list, changes) : changes;
  }

  /// Drops fields that the directive does not name; used for unions such as a volume's source.
  private static void retainKeys(ObjectNode target, ObjectNode patch) {
    JsonNode directive = patch.remove(PatchDirectives.RETAIN_KEYS);
    if (directive == null) {
      return;
    }
    Set<String> retained = new HashSet<>();
    directive.forEach(key -> retained.add(key.asText()));
    boolean covered =
        directive.isArray()
            && patch.properties().stream()
                .allMatch(
                    change ->
                        change.getValue().isNull()
                            || PatchDirectives.isListDirective(change.getKey())
                            || retained.contains(change.getKey()));
    if (!covered) {
      throw ApiException.badRequest("invalid patch format of retainKeys");
    }
    target.retain(retained);
  }

  /// Merges every list with a `$setElementOrder` directive and removes both from the patch.
  private static void orderLists(ObjectNode target, ObjectNode patch, ValueShape shape) {
    List<String> directives =
        patch
            .propertyStream()
            .map(Map.Entry::getKey)
            .filter(key -> key.startsWith(PatchDirectives.SET_ORDER))
            .toList();
    for (String key : directives) {
      JsonNode order = patch.remove(key);
      String name = PatchDirectives.listName(key, PatchDirectives.SET_ORDER);
      JsonNode old = list(target.get(name));
      JsonNode change = list(patch.remove(name));
      if (!order.isArray()) {
        throw PatchDirectives.badOrder();
      }
      if (old == null && change == null) {
        continue;
      }
      Child child = child(shape, name);
      ArrayNode ordered =
          child.merge().patchMerge()
              ? ListMerge.of(child)
                  .mergeInOrder((ArrayNode) old, (ArrayNode) change, (ArrayNode) order)
              : (ArrayNode) (change == null ? old : change);
      target.set(name, ordered);
    }
  }

  private static @Nullable ArrayNode list(@Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      return null;
    }
    if (value instanceof ArrayNode array) {
      return array;
    }
    throw ApiException.unclassified(
        "expected a []interface {}, but received a " + GoFormat.type(value));
  }

  /// The shape and merge rule of one field or map entry.
  record Child(ValueShape shape, MergeRule merge) {}

  /// A field that the type does not have fails the patch, as upstream has it; only maps accept any
  /// name.
  private static Child child(ValueShape parent, String name) {
    return switch (parent) {
      case ValueShape.Struct(ObjectType type) -> {
        SchemaField field = type.field(name);
        if (field == null) {
          throw ApiException.unclassified(
              "unable to find api field in struct %s for the json field \"%s\""
                  .formatted(type.simpleName(), name));
        }
        yield new Child(field.shape(), field.merge());
      }
      case ValueShape.MapOf(ValueShape value) -> new Child(value, MergeRule.NONE);
      case ValueShape.ListOf _, ValueShape.Scalar _ -> new Child(parent, MergeRule.NONE);
    };
  }
}
