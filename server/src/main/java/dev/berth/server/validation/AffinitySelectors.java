package dev.berth.server.validation;

import com.fasterxml.jackson.databind.JsonNode;

/// The rules of label selectors inside pods.
final class AffinitySelectors {
  private AffinitySelectors() {}

  /// An absent selector is good.
  static void validate(JsonNode selector, FieldPath path, FieldErrors errors) {
    if (!selector.isObject()) {
      return;
    }
    PodFields.labels(selector.path("matchLabels"), path.child("matchLabels"), errors);
    JsonNode expressions = selector.path("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      requirement(expressions.get(i), path.child("matchExpressions").index(i), errors);
    }
  }

  private static void requirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
    String operator = PodFields.text(requirement, "operator");
    JsonNode values = requirement.path("values");
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
    String key = PodFields.text(requirement, "key");
    errors.invalid(path.child("key"), key, NameRules.qualifiedName(key));
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i).asText();
      errors.invalid(path.child("values").index(i), value, NameRules.labelValue(value));
    }
  }
}
