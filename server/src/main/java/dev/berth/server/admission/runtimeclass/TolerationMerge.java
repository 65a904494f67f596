package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.server.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;

/// Merges two lists of tolerations and drops those that a broader one covers.
///
/// The order of the remaining tolerations is that of the input, the pod's own first.
public final class TolerationMerge {
  private TolerationMerge() {}

  public static ArrayNode merge(JsonNode first, JsonNode second) {
    List<JsonNode> all = new ArrayList<>();
    first.forEach(all::add);
    second.forEach(all::add);
    ArrayNode kept = JsonTrees.array();
    for (int i = 0; i < all.size(); i++) {
      JsonNode candidate = all.get(i);
      if (!isCovered(candidate, kept)
          && !isCoveredLater(candidate, all.subList(i + 1, all.size()))) {
        kept.add(candidate.deepCopy());
      }
    }
    return kept;
  }

  private static boolean isCovered(JsonNode candidate, ArrayNode kept) {
    return kept.valueStream().anyMatch(other -> covers(other, candidate));
  }

  /// The first of equal tolerations stays.
  private static boolean isCoveredLater(JsonNode candidate, List<JsonNode> later) {
    return later.stream().anyMatch(other -> !other.equals(candidate) && covers(other, candidate));
  }

  /// Whether `broad` tolerates everything that `narrow` does, by upstream's rules.
  ///
  /// An empty effect or an empty key with `Exists` covers all values; for `NoExecute` the longer
  /// time covers the shorter one.
  private static boolean covers(JsonNode broad, JsonNode narrow) {
    if (broad.equals(narrow)) {
      return true;
    }
    String operator = text(broad, "operator");
    boolean anyKey = text(broad, "key").isEmpty() && operator.equals("Exists");
    if (!anyKey && !text(broad, "key").equals(text(narrow, "key"))) {
      return false;
    }
    String effect = text(broad, "effect");
    if (!effect.isEmpty() && !effect.equals(text(narrow, "effect"))) {
      return false;
    }
    JsonNode seconds = broad.path("tolerationSeconds");
    if (effect.equals("NoExecute") && seconds.isNumber()) {
      JsonNode narrowSeconds = narrow.path("tolerationSeconds");
      if (!narrowSeconds.isNumber() || narrowSeconds.asLong() > seconds.asLong()) {
        return false;
      }
    }
    return switch (operator) {
      // An unset operator also means Equal, but upstream does not treat it so here.
      case "Equal", "" ->
          text(narrow, "operator").equals("Equal")
              && text(broad, "value").equals(text(narrow, "value"));
      case "Exists" -> true;
      default -> false;
    };
  }

  private static String text(JsonNode toleration, String field) {
    return toleration.path(field).asText("");
  }
}
