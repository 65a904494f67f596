package dev.berth.api;

/// Quotes text as Go's `%q` does, on one line. Upstream's messages and the downward API quote
/// values in this form, and clients compare them.
public final class GoQuotedString {
  private GoQuotedString() {}

  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints().forEach(point -> append(quoted, point));
    return quoted.append('"').toString();
  }

  private static void append(StringBuilder quoted, int point) {
    switch (point) {
      case '"' -> quoted.append("\\\"");
      case '\\' -> quoted.append("\\\\");
      case 0x07 -> quoted.append("\\a");
      case '\b' -> quoted.append("\\b");
      case '\f' -> quoted.append("\\f");
      case '\n' -> quoted.append("\\n");
      case '\r' -> quoted.append("\\r");
      case '\t' -> quoted.append("\\t");
      case 0x0b -> quoted.append("\\v");
      default -> {
        if (isPrintable(point)) {
          quoted.appendCodePoint(point);
        } else if (point < 0x80) {
          quoted.append("\\x%02x".formatted(point));
        } else {
          quoted.append((point < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(point));
        }
      }
    }
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> point == ' ';
      default -> true;
    };
  }
}
