package dev.berth.server.validation.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.regex.Pattern;

/// The rules of rolling updates: how many pods may be missing or too many.
///
/// A rollout with both amounts zero could never replace a pod.
final class RolloutRules {
  private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
  private static final String NOT_PERCENT =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
          + " '93%', regex used for validation is '[0-9]+%')";

  private RolloutRules() {}

  static void checkDeployment(JsonNode rolling, FieldPath path, FieldErrors errors) {
    JsonNode unavailable = rolling.path("maxUnavailable");
    JsonNode surge = rolling.path("maxSurge");
    checkAmount(unavailable, path.child("maxUnavailable"), errors);
    checkAmount(surge, path.child("maxSurge"), errors);
    if (amount(unavailable) == 0 && amount(surge) == 0) {
      errors.invalidLiteral(
          path.child("maxUnavailable"),
          GoComposites.intOrString(unavailable),
          "may not be 0 when `maxSurge` is 0");
    }
    checkAtMostAll(unavailable, path.child("maxUnavailable"), errors);
  }

  static void checkDaemonSet(JsonNode rolling, FieldPath path, FieldErrors errors) {
    JsonNode unavailable = rolling.path("maxUnavailable");
    JsonNode surge = rolling.path("maxSurge");
    checkAmount(unavailable, path.child("maxUnavailable"), errors);
    checkAmount(surge, path.child("maxSurge"), errors);
    checkAtMostAll(unavailable, path.child("maxUnavailable"), errors);
    checkAtMostAll(surge, path.child("maxSurge"), errors);
    boolean mayMiss = amount(unavailable) != 0;
    boolean maySurge = amount(surge) != 0;
    if (mayMiss && maySurge) {
      errors.invalidLiteral(
          path.child("maxSurge"),
          GoComposites.intOrString(surge),
          "may not be set when maxUnavailable is non-zero");
    } else if (!mayMiss && !maySurge) {
      errors.required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
    }
  }

  private static void checkAmount(JsonNode value, FieldPath path, FieldErrors errors) {
    if (!value.isTextual()) {
      CommonChecks.nonNegative(value, path, errors);
    } else if (!PERCENT.matcher(value.textValue()).matches()) {
      errors.invalidLiteral(path, GoComposites.intOrString(value), NOT_PERCENT);
    }
  }

  private static void checkAtMostAll(JsonNode value, FieldPath path, FieldErrors errors) {
    if (value.isTextual() && amount(value) > 100) {
      errors.invalidLiteral(path, GoComposites.intOrString(value), "must not be greater than 100%");
    }
  }

  /// The number, be it of pods or of percents; 0 when the text is neither.
  private static long amount(JsonNode value) {
    if (!value.isTextual()) {
      return value.asLong();
    }
    String text = value.textValue();
    return PERCENT.matcher(text).matches() && text.length() < 10
        ? Long.parseLong(text.substring(0, text.length() - 1))
        : 0;
  }
}
