package dev.berth.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A label selector of an aggregated role.
record LabelMatch(List<Requirement> requirements) {
  /// One condition on one label.
  record Requirement(String key, String operator, List<String> values) {
    boolean holds(@Nullable String value) {
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        default -> false;
      };
    }
  }

  LabelMatch {
    requirements = List.copyOf(requirements);
  }

  static LabelMatch of(JsonNode selector) {
    List<Requirement> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
      all.add(new Requirement(label.getKey(), "In", List.of(label.getValue().asText())));
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      List<String> values = new ArrayList<>();
      expression.path("values").forEach(value -> values.add(value.asText()));
      all.add(
          new Requirement(
              expression.path("key").asText(), expression.path("operator").asText(), values));
    }
    return new LabelMatch(all);
  }

  boolean matches(Map<String, String> labels) {
    return requirements.stream()
        .allMatch(requirement -> requirement.holds(labels.get(requirement.key())));
  }
}
