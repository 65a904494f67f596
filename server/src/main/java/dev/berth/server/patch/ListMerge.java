package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ValueShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Merges one list of a strategic merge patch into its target and orders the result.
///
/// Upstream's order: items of the patch in the order of the patch (or of `$setElementOrder`), other
/// items in the server's order; between both the server's order decides where it has both, else the
/// patch comes first. So a new element precedes those that the patch does not mention.
///
/// @param mergeKey null for a list of scalars, which merges as a set
record ListMerge(ValueShape element, @Nullable String mergeKey) {

  static ListMerge of(StrategicMergePatch.Child child) {
    ValueShape element =
        child.shape() instanceof ValueShape.ListOf(ValueShape inner) ? inner : child.shape();
    return new ListMerge(element, child.merge().patchMergeKey());
  }

  /// Removes every equal scalar, not only the first.
  static ArrayNode without(ArrayNode list, ArrayNode unwanted) {
    Set<JsonNode> gone = new HashSet<>();
    unwanted.forEach(gone::add);
    ArrayNode kept = JsonTrees.array();
    for (JsonNode item : list) {
      if (!gone.contains(item)) {
        kept.add(item);
      }
    }
    return kept;
  }

  ArrayNode merge(ArrayNode list, ArrayNode patch) {
    Split split = split(items(list), items(patch));
    List<JsonNode> merged = mergeItems(split.list(), split.patch());
    return ordered(merged, split.patch(), split.list());
  }

  /// `kubectl apply` sends `$setElementOrder` with the keys of all elements of the manifest, so
  /// that the stored order follows the manifest although the patch has only what changed.
  ArrayNode mergeInOrder(@Nullable ArrayNode list, @Nullable ArrayNode patch, ArrayNode order) {
    List<JsonNode> orderItems = items(order);
    List<JsonNode> patchItems = patch == null ? List.of() : items(patch);
    requireSameOrder(patchItems, orderItems, order);
    List<JsonNode> merged;
    if (list == null) {
      JsonNode plain = patch == null ? null : PatchDirectives.strip(patch);
      merged = plain instanceof ArrayNode added ? items(added) : List.of();
    } else {
      merged = patch == null ? items(list) : items(merge(list, patch));
    }
    return ordered(merged, orderItems, list == null ? List.of() : items(list));
  }

  /// The lists after the elements with `$patch` directives have been applied and removed.
  private record Split(List<JsonNode> list, List<JsonNode> patch) {}

  /// `$patch: replace` in one element replaces the whole list by the other elements of the patch.
  /// `$patch: delete` removes the elements with the same key and nothing else of the list.
  private Split split(List<JsonNode> list, List<JsonNode> patch) {
    Set<JsonNode> deleted = new HashSet<>();
    List<JsonNode> rest = new ArrayList<>();
    boolean replace = false;
    for (JsonNode item : patch) {
      JsonNode directive = item.get(PatchDirectives.PATCH);
      switch (directive == null ? PatchDirectives.MERGE : directive.asText()) {
        case PatchDirectives.MERGE -> rest.add(item);
        case PatchDirectives.DELETE -> deleted.add(key(item));
        case PatchDirectives.REPLACE -> replace = true;
        default -> throw PatchDirectives.unknown(item.path(PatchDirectives.PATCH), item);
      }
    }
    if (replace) {
      return new Split(rest, List.of());
    }
    List<JsonNode> kept =
        deleted.isEmpty()
            ? list
            : list.stream().filter(item -> !deleted.contains(key(item))).toList();
    return new Split(kept, rest);
  }

  private List<JsonNode> mergeItems(List<JsonNode> list, List<JsonNode> patch) {
    List<JsonNode> merged = new ArrayList<>();
    Map<JsonNode, Integer> positions = new HashMap<>();
    for (JsonNode item : list) {
      // Several objects may have equal keys (one port, two protocols): all stay and the first one
      // is patched.
      boolean first = positions.putIfAbsent(key(item), merged.size()) == null;
      if (first || mergeKey != null) {
        merged.add(item);
      }
    }
    for (JsonNode item : patch) {
      Integer position = positions.putIfAbsent(key(item), merged.size());
      if (position == null) {
        JsonNode plain = PatchDirectives.strip(item);
        merged.add(plain == null ? item : plain);
      } else if (item instanceof ObjectNode change) {
        ObjectNode old = (ObjectNode) merged.get(position);
        merged.set(position, StrategicMergePatch.mergeObject(old, change, element));
      }
    }
    return merged;
  }

  /// Elements are stable within their two groups; before each element of the patch come those of
  /// the server that preceded it.
  private ArrayNode ordered(
      List<JsonNode> merged, List<JsonNode> patchOrder, List<JsonNode> serverOrder) {
    Map<JsonNode, Integer> inPatch = positions(patchOrder);
    Map<JsonNode, Integer> onServer = positions(serverOrder);
    List<JsonNode> fromPatch = new ArrayList<>();
    List<JsonNode> serverOnly = new ArrayList<>();
    for (JsonNode item : merged) {
      (inPatch.containsKey(key(item)) ? fromPatch : serverOnly).add(item);
    }
    fromPatch.sort(Comparator.comparing(item -> inPatch.getOrDefault(key(item), 0)));
    ArrayNode all = JsonTrees.array();
    int next = 0;
    for (JsonNode item : fromPatch) {
      Integer place = onServer.get(key(item));
      while (place != null
          && next < serverOnly.size()
          && onServer.getOrDefault(key(serverOnly.get(next)), Integer.MAX_VALUE) < place) {
        all.add(serverOnly.get(next++));
      }
      all.add(item);
    }
    return all.addAll(serverOnly.subList(next, serverOnly.size()));
  }

  private Map<JsonNode, Integer> positions(List<JsonNode> items) {
    Map<JsonNode, Integer> positions = new HashMap<>();
    items.forEach(item -> positions.putIfAbsent(key(item), positions.size()));
    return positions;
  }

  /// The items of the patch must be in the order of the directive.
  private void requireSameOrder(List<JsonNode> patch, List<JsonNode> order, ArrayNode directive) {
    if (order.isEmpty()) {
      return;
    }
    int next = 0;
    for (JsonNode item : patch) {
      if (item.has(PatchDirectives.PATCH)) {
        continue;
      }
      JsonNode key = key(item);
      while (next < order.size() && !key(order.get(next)).equals(key)) {
        next++;
      }
      if (next++ >= order.size()) {
        throw ApiException.unclassified(
            "The order in patch list:\n%s\n doesn't match $setElementOrder list:\n%s\n"
                .formatted(
                    GoFormat.plain(JsonTrees.array().addAll(patch)), GoFormat.plain(directive)));
      }
    }
  }

  /// Scalars are their own keys.
  private JsonNode key(JsonNode item) {
    if (mergeKey == null) {
      return item;
    }
    JsonNode key = item.get(mergeKey);
    if (key == null) {
      throw PatchDirectives.noMergeKey(item, mergeKey);
    }
    return key;
  }

  /// The elements, which must be all objects or all scalars.
  private List<JsonNode> items(ArrayNode list) {
    List<JsonNode> items = new ArrayList<>(list.size());
    for (JsonNode item : list) {
      if (item.isArray()) {
        throw ApiException.unprocessable();
      }
      if (item.isObject() != (mergeKey != null)) {
        throw ApiException.unclassified("list element types are not identical: " + list);
      }
      items.add(item);
    }
    return items;
  }
}
