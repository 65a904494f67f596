package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directives of strategic merge patch, and the errors about invalid ones.
final class PatchDirectives {
  static final String PATCH = "$patch";
  static final String REPLACE = "replace";
  static final String DELETE = "delete";
  static final String MERGE = "merge";
  static final String RETAIN_KEYS = "$retainKeys";
  static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";
  static final String SET_ORDER = "$setElementOrder";

  private PatchDirectives() {}

  static boolean isListDirective(String key) {
    return key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
  }

  /// The list of a directive such as `$setElementOrder/containers`.
  static String listName(String key, String directive) {
    if (key.length() > directive.length() && key.charAt(directive.length()) == '/') {
      return key.substring(directive.length() + 1);
    }
    throw directive.equals(SET_ORDER)
        ? badOrder()
        : ApiException.badRequest("invalid patch format of primitive list");
  }

  static ApiException badOrder() {
    return ApiException.badRequest("invalid patch format of setElementOrder list");
  }

  static ApiException unknown(JsonNode directive, JsonNode patch) {
    return ApiException.unclassified(
        "unknown patch type: %s in map: %s"
            .formatted(GoFormat.plain(directive), GoFormat.plain(patch)));
  }

  static ApiException noMergeKey(JsonNode element, String mergeKey) {
    return ApiException.unclassified(
        "map: %s does not contain declared merge key: %s"
            .formatted(GoFormat.plain(element), mergeKey));
  }

  /// Removes directives and `null`s from a part of the patch that has no counterpart; null when
  /// only a deletion is left.
  static @Nullable JsonNode strip(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> stripObject(object);
      case ArrayNode array -> {
        ArrayNode kept = JsonTrees.array();
        for (JsonNode item : array) {
          JsonNode plain = item instanceof ObjectNode object ? stripItem(object) : strip(item);
          if (plain != null) {
            kept.add(plain);
          }
        }
        yield kept;
      }
      default -> value;
    };
  }

  private static @Nullable ObjectNode stripObject(ObjectNode object) {
    if (object.path(PATCH).asText().equals(DELETE)) {
      return null;
    }
    ObjectNode kept = JsonTrees.object();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String key = entry.getKey();
      if (key.equals(PATCH) || key.equals(RETAIN_KEYS) || isListDirective(key)) {
        continue;
      }
      JsonNode plain = entry.getValue().isNull() ? null : strip(entry.getValue());
      if (plain != null) {
        kept.set(key, plain);
      }
    }
    return kept;
  }

  /// An element with only a directive is dropped.
  private static @Nullable ObjectNode stripItem(ObjectNode item) {
    boolean replacesList = item.path(PATCH).asText().equals(REPLACE);
    return replacesList && item.size() == 1 ? null : stripObject(item);
  }
}
