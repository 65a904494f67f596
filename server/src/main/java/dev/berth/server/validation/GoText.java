package dev.berth.server.validation;

import com.fasterxml.jackson.databind.JsonNode;

/// Prints values the way messages of Kubernetes do.
public final class GoText {
  private GoText() {}

  /// Strings are quoted, numbers and booleans bare, composites as compact JSON, nothing is `null`.
  public static String of(JsonNode value) {
    return value.isTextual() ? quote(value.textValue()) : value.toString();
  }

  /// A Go string literal.
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(c -> appendEscaped(quoted, c));
    return quoted.append('"').toString();
  }

  private static void appendEscaped(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < 0x20 || c == 0x7f) {
          out.append("\\x%02x".formatted(c));
        } else {
          out.appendCodePoint(c);
        }
      }
    }
  }
}
