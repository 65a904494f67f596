package dev.berth.server.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.GoQuotedString;

/// Formats values like upstream's messages.
public final class GoText {
  private GoText() {}

  /// Strings are quoted, numbers and booleans bare, composites as compact JSON, nothing is `null`.
  public static String of(JsonNode value) {
    return value.isTextual() ? quote(value.textValue()) : value.toString();
  }

  /// A Go string literal.
  public static String quote(String text) {
    return GoQuotedString.quote(text);
  }
}
