package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import java.util.List;

/// The rules of a `LabelSelector`, and what it selects.
///
/// Upstream's `ValidateLabelSelector`. Rules read the tree directly, because a selector must be
/// reported at its path; `api.selectors` has the form that matches many objects.
public final class LabelSelectorRules {
  private LabelSelectorRules() {}

  /// Checks a selector; an absent one is fine.
  public static void check(JsonNode selector, FieldPath path, FieldErrors errors) {
    PodFields.labels(selector.path("matchLabels"), path.child("matchLabels"), errors);
    int i = 0;
    for (JsonNode requirement : selector.path("matchExpressions")) {
      checkRequirement(requirement, path.child("matchExpressions").index(i++), errors);
    }
  }

  private static void checkRequirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
    String operator = requirement.path("operator").asText();
    JsonNode values = requirement.path("values");
    checkOperator(operator, values, path, errors);
    String key = requirement.path("key").asText();
    errors.invalid(path.child("key"), key, NameRules.qualifiedName(key));
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i).asText();
      errors.invalid(path.child("values").index(i), value, NameRules.labelValue(value));
    }
  }

  /// Whether an operator of a requirement is known and has the values that it needs.
  public static void checkOperator(
      String operator, JsonNode values, FieldPath path, FieldErrors errors) {
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.required(
              path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.forbidden(
              path.child("values"),
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> errors.invalid(path.child("operator"), operator, "not a valid selector operator");
    }
  }

  public static boolean isEmpty(JsonNode selector) {
    return selector.path("matchLabels").isEmpty() && selector.path("matchExpressions").isEmpty();
  }

  /// An absent selector selects nothing, an empty one everything.
  public static boolean matches(JsonNode selector, JsonNode labels) {
    if (!selector.isObject()) {
      return false;
    }
    for (var label : selector.path("matchLabels").properties()) {
      if (!label.getValue().equals(labels.path(label.getKey()))) {
        return false;
      }
    }
    for (JsonNode requirement : selector.path("matchExpressions")) {
      if (!matchesRequirement(requirement, labels)) {
        return false;
      }
    }
    return true;
  }

  private static boolean matchesRequirement(JsonNode requirement, JsonNode labels) {
    JsonNode label = labels.path(requirement.path("key").asText());
    List<String> values = GoComposites.strings(requirement.path("values"));
    return switch (requirement.path("operator").asText()) {
      case "In" -> !label.isMissingNode() && values.contains(label.asText());
      case "NotIn" -> label.isMissingNode() || !values.contains(label.asText());
      case "Exists" -> !label.isMissingNode();
      case "DoesNotExist" -> label.isMissingNode();
      default -> false;
    };
  }
}
