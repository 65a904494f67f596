package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A `meta.v1.LabelSelector` in the notation of `kubectl get -l`.
final class SelectorText {
  private record Requirement(String key, String text) {}

  private SelectorText() {}

  /// Formats a selector as most kinds print it: `<none>` when nothing is selected by, `<error>`
  /// when it is malformed.
  static String of(JsonNode selector) {
    return parse(selector).map(text -> text.isEmpty() ? TableCells.NONE : text).orElse("<error>");
  }

  /// Requirements sorted by key and joined; empty when an operator is unknown.
  static Optional<String> parse(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label -> {
              String key = label.getKey();
              requirements.add(new Requirement(key, key + "=" + label.getValue().asText()));
            });
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = TableCells.text(expression, "key");
      Optional<String> text = expression(key, expression);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      requirements.add(new Requirement(key, text.get()));
    }
    return Optional.of(
        requirements.stream()
            .sorted(Comparator.comparing(Requirement::key))
            .map(Requirement::text)
            .collect(Collectors.joining(",")));
  }

  private static Optional<String> expression(String key, JsonNode expression) {
    return switch (TableCells.text(expression, "operator")) {
      case "In" -> Optional.of(key + " in (" + values(expression) + ")");
      case "NotIn" -> Optional.of(key + " notin (" + values(expression) + ")");
      case "Exists" -> Optional.of(key);
      case "DoesNotExist" -> Optional.of("!" + key);
      default -> Optional.empty();
    };
  }

  private static String values(JsonNode expression) {
    List<String> values = new ArrayList<>();
    expression.path("values").forEach(value -> values.add(value.asText()));
    return values.stream().sorted().distinct().collect(Collectors.joining(","));
  }
}
