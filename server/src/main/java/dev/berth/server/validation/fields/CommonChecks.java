package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import java.util.List;
import java.util.stream.Collectors;

/// Rules that occur in many kinds.
public final class CommonChecks {
  public static final String IMMUTABLE = "field is immutable";
  public static final String NOT_NEGATIVE = "must be greater than or equal to 0";
  private static final int LAST_PORT = 65535;

  private CommonChecks() {}

  /// Checks that none of the named numbers is below zero; absent ones are fine.
  public static void nonNegative(
      JsonNode owner, FieldPath path, FieldErrors errors, String... fields) {
    for (String field : fields) {
      nonNegative(owner.path(field), path.child(field), errors);
    }
  }

  public static void nonNegative(JsonNode number, FieldPath path, FieldErrors errors) {
    if (number.isNumber() && number.asLong() < 0) {
      errors.invalid(path, number.asLong(), NOT_NEGATIVE);
    }
  }

  public static void immutable(JsonNode value, JsonNode old, FieldPath path, FieldErrors errors) {
    // Both are in normal form, so that equal values are equal trees.
    if (!value.equals(old)) {
      errors.invalid(path, orNull(value), IMMUTABLE);
    }
  }

  private static JsonNode orNull(JsonNode value) {
    return value.isMissingNode() ? NullNode.getInstance() : value;
  }

  /// Adds an error for composites, whose form in Go the caller knows better.
  public static void notSupportedLiteral(
      FieldPath path, String literal, List<String> supported, FieldErrors errors) {
    String list = supported.stream().map(GoText::quote).collect(Collectors.joining(", "));
    errors.add(
        FieldError.Kind.NOT_SUPPORTED,
        path,
        "Unsupported value: " + literal + ": supported values: " + list);
  }

  /// Checks a text that must be present and one of a few.
  public static void oneOf(
      String value, List<String> supported, FieldPath path, FieldErrors errors) {
    if (value.isEmpty()) {
      errors.required(path, "");
    } else if (!supported.contains(value)) {
      errors.notSupportedInOrder(path, value, supported);
    }
  }

  public static void port(JsonNode number, FieldPath path, FieldErrors errors) {
    long port = number.asLong();
    if (port < 1 || port > LAST_PORT) {
      errors.invalid(path, port, "must be between 1 and 65535, inclusive");
    }
  }
}
