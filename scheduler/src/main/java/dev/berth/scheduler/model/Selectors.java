package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.LabelSelector.Operator;
import dev.berth.api.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads selectors that are written as objects rather than text.
final class Selectors {
  private Selectors() {}

  /// `{matchLabels, matchExpressions}`; a missing one selects nothing, so ask before.
  static LabelSelector labels(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            entry ->
                requirements.add(
                    new Requirement(
                        entry.getKey(), Operator.IN, Set.of(entry.getValue().asText()))));
    selector.path("matchExpressions").forEach(term -> requirements.add(requirement(term)));
    return new LabelSelector(requirements);
  }

  static LabelSelector expressions(JsonNode array) {
    return new LabelSelector(Trees.each(array, Selectors::requirement));
  }

  private static Requirement requirement(JsonNode term) {
    Set<String> values = new HashSet<>();
    term.path("values").forEach(value -> values.add(value.asText()));
    Operator operator =
        switch (term.path("operator").asText()) {
          case "NotIn" -> Operator.NOT_IN;
          case "Exists" -> Operator.EXISTS;
          case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
          case "Gt" -> Operator.GREATER;
          case "Lt" -> Operator.LESS;
          default -> Operator.IN;
        };
    return new Requirement(term.path("key").asText(), operator, values);
  }
}
