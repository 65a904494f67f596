package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of tolerations, in pods and in runtime classes.
///
/// Upstream's `ValidateTolerations`.
public final class TolerationRules {
  private static final List<String> OPERATORS = List.of("Equal", "Exists");
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private TolerationRules() {}

  public static void validate(JsonNode tolerations, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < tolerations.size(); i++) {
      toleration(tolerations.get(i), path.index(i), errors);
    }
  }

  private static void toleration(JsonNode toleration, FieldPath path, FieldErrors errors) {
    String key = PodFields.text(toleration, "key");
    String operator = PodFields.text(toleration, "operator");
    String effect = PodFields.text(toleration, "effect");
    if (!key.isEmpty()) {
      errors.invalid(path.child("key"), key, NameRules.qualifiedName(key));
    } else if (!operator.equals("Exists")) {
      errors.invalid(
          path.child("operator"),
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all"
              + " keys\"");
    }
    // Only this effect ever ends a pod, so that only it has a time to wait.
    if (PodFields.has(toleration, "tolerationSeconds") && !effect.equals("NoExecute")) {
      errors.invalid(
          path.child("effect"),
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    operator(toleration, operator, path, errors);
    if (!effect.isEmpty() && !EFFECTS.contains(effect)) {
      errors.notSupportedInOrder(path.child("effect"), effect, EFFECTS);
    }
  }

  private static void operator(
      JsonNode toleration, String operator, FieldPath path, FieldErrors errors) {
    String value = PodFields.text(toleration, "value");
    switch (operator) {
      case "Equal", "" -> {
        List<String> reasons = NameRules.labelValue(value);
        if (!reasons.isEmpty()) {
          errors.invalid(path.child("operator"), value, String.join(";", reasons));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          errors.invalidLiteral(
              path.child("operator"),
              literal(toleration),
              "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> errors.notSupportedInOrder(path.child("operator"), operator, OPERATORS);
    }
  }

  /// Checks that no two tolerations are equal except for their time.
  public static void validateUnique(JsonNode tolerations, FieldPath path, FieldErrors errors) {
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < tolerations.size(); i++) {
      JsonNode toleration = tolerations.get(i);
      List<String> identity =
          List.of(
              PodFields.text(toleration, "key"),
              PodFields.text(toleration, "operator"),
              PodFields.text(toleration, "value"),
              PodFields.text(toleration, "effect"));
      if (!seen.add(identity)) {
        errors.add(
            FieldError.Kind.DUPLICATE, path.index(i), "Duplicate value: " + literal(toleration));
      }
    }
  }

  /// Checks that a pod which runs gains tolerations or changes their times, and loses none: losing
  /// one could evict the pod by a mere update.
  static void onlyAdded(JsonNode tolerations, JsonNode old, FieldPath path, FieldErrors errors) {
    for (JsonNode existing : old) {
      if (!holds(tolerations, existing)) {
        errors.forbidden(
            path, "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
    validate(tolerations, path, errors);
  }

  private static boolean holds(JsonNode tolerations, JsonNode wanted) {
    for (JsonNode toleration : tolerations) {
      if (same(toleration, wanted, "key")
          && same(toleration, wanted, "operator")
          && same(toleration, wanted, "value")
          && same(toleration, wanted, "effect")) {
        return true;
      }
    }
    return false;
  }

  private static boolean same(JsonNode one, JsonNode other, String field) {
    return PodFields.text(one, field).equals(PodFields.text(other, field));
  }

  private static String literal(JsonNode toleration) {
    return "core.Toleration{Key:%s, Operator:%s, Value:%s, Effect:%s, TolerationSeconds:%s}"
        .formatted(
            GoText.quote(PodFields.text(toleration, "key")),
            GoText.quote(PodFields.text(toleration, "operator")),
            GoText.quote(PodFields.text(toleration, "value")),
            GoText.quote(PodFields.text(toleration, "effect")),
            PodFields.has(toleration, "tolerationSeconds")
                ? "&" + toleration.get("tolerationSeconds")
                : "(*int64)(nil)");
  }
}
