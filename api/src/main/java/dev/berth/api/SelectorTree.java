package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector.Operator;
import dev.berth.api.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads selectors in the form of objects, as Deployments and affinity terms have them. Objects
/// have passed validation, so that nothing here can fail.
public final class SelectorTree {
  private SelectorTree() {}

  /// `{matchLabels, matchExpressions}`; an empty selector selects everything. A missing one selects
  /// nothing in most places, so that callers must check before.
  public static LabelSelector selector(JsonNode tree) {
    List<Requirement> requirements = new ArrayList<>();
    for (var label : tree.path("matchLabels").properties()) {
      requirements.add(
          new Requirement(label.getKey(), Operator.IN, Set.of(label.getValue().asText())));
    }
    tree.path("matchExpressions").forEach(term -> requirements.add(requirement(term)));
    return new LabelSelector(requirements);
  }

  public static LabelSelector expressions(JsonNode array) {
    List<Requirement> requirements = new ArrayList<>();
    array.forEach(term -> requirements.add(requirement(term)));
    return new LabelSelector(requirements);
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
