package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Merges an applied configuration into an object: maps and objects by name, associative lists by
/// key, sets as unions; leaves are taken from the configuration.
///
/// The merge only adds and replaces. Fields that the applier dropped from its configuration are
/// removed later by `ApplyPruning`, which knows their owners. The inputs are not changed; the
/// result shares unchanged nodes with both.
final class AppliedMerge {
  private AppliedMerge() {}

  static ObjectNode merge(ObjectType type, ObjectNode live, ObjectNode config)
      throws UnkeyedException {
    return named(TypedSchema.of(type), live, config);
  }

  private static JsonNode merge(TypedSchema typed, JsonNode live, JsonNode config)
      throws UnkeyedException {
    if (typed.isLeaf() || (TypedSchema.isEmpty(live) && TypedSchema.isEmpty(config))) {
      return config;
    }
    return typed.isList() ? new Lists(typed, live, config).merge() : named(typed, live, config);
  }

  private static ObjectNode named(TypedSchema typed, JsonNode live, JsonNode config)
      throws UnkeyedException {
    ObjectNode merged = JsonTrees.object();
    for (Map.Entry<String, JsonNode> entry : live.properties()) {
      JsonNode applied = config.get(entry.getKey());
      TypedSchema part = applied == null ? null : typed.named(entry.getKey());
      merged.set(
          entry.getKey(),
          applied == null
              ? entry.getValue()
              : part == null ? applied : merge(part, entry.getValue(), applied));
    }
    for (Map.Entry<String, JsonNode> entry : config.properties()) {
      if (!live.has(entry.getKey())) {
        merged.set(entry.getKey(), entry.getValue());
      }
    }
    return merged;
  }

  /// Merges one list: shared elements are in the order of the configuration; elements that only the
  /// object has stay as close as possible to their places.
  ///
  /// The order is that of upstream's structured-merge-diff, because clients see it: both lists are
  /// read from the front at the same time, `here` in the object and `there` in the configuration.
  private static final class Lists {
    private final TypedSchema list;
    private final List<PathElement> liveSteps = new ArrayList<>();
    private final Map<PathElement, JsonNode> live = new HashMap<>();
    private final List<JsonNode> liveItems = new ArrayList<>();
    private final List<PathElement> appliedSteps = new ArrayList<>();
    private final Map<PathElement, JsonNode> applied = new HashMap<>();
    private final Set<PathElement> placed = new HashSet<>();
    private final Deque<PathElement> shared = new ArrayDeque<>();
    private final ArrayNode merged = JsonTrees.array();

    Lists(TypedSchema list, JsonNode liveList, JsonNode config) throws UnkeyedException {
      this.list = list;
      for (JsonNode item : liveList) {
        PathElement step = list.stepTo(item);
        liveSteps.add(step);
        liveItems.add(item);
        // Duplicate elements are not merged, because the match is ambiguous.
        live.merge(step, item, (_, _) -> NullNode.instance);
      }
      for (JsonNode item : config) {
        PathElement step = list.stepTo(item);
        appliedSteps.add(step);
        applied.put(step, item);
      }
      appliedSteps.stream().filter(live::containsKey).forEach(shared::add);
    }

    ArrayNode merge() throws UnkeyedException {
      int here = 0;
      int there = 0;
      while (here < liveSteps.size() || there < appliedSteps.size()) {
        PathElement step = here < liveSteps.size() ? liveSteps.get(here) : null;
        // The element exists only in the object; it keeps its place before what follows.
        if (step != null && !applied.containsKey(step)) {
          merged.add(liveItems.get(here++));
        } else if (there == appliedSteps.size()) {
          here++;
        } else if (step != null && step.equals(appliedSteps.get(there))) {
          place(step);
          here++;
          there++;
        } else if (step != null && (isLater(step) || placed.contains(step))) {
          here++;
        } else {
          place(appliedSteps.get(there++));
        }
      }
      return merged;
    }

    /// Whether the configuration places a shared element after another shared one.
    private boolean isLater(PathElement step) {
      return !shared.isEmpty() && !shared.getFirst().equals(step);
    }

    private void place(PathElement step) throws UnkeyedException {
      JsonNode old = live.get(step);
      JsonNode wanted = applied.get(step);
      if (wanted != null) {
        merged.add(item(old, wanted));
      }
      placed.add(step);
      if (step.equals(shared.peekFirst())) {
        shared.removeFirst();
      }
    }

    private JsonNode item(@Nullable JsonNode old, JsonNode wanted) throws UnkeyedException {
      return old == null ? wanted : AppliedMerge.merge(list.element(), old, wanted);
    }
  }
}
