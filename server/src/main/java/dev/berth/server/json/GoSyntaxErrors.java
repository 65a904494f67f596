package dev.berth.server.json;

/// Finds the message of Go's decoder for an invalid document, which users know and search for; a
/// separate pass that runs only after the parser has failed.
///
/// It follows the states of Go's scanner, because the text after "invalid character" names the
/// state. The document was read already, so the pass needs no limits but the depth of its
/// recursion.
final class GoSyntaxErrors {
  /// The parser rejects deeper documents anyway.
  private static final int MAX_DEPTH = 500;

  private final byte[] json;
  private int at;

  private GoSyntaxErrors(byte[] json) {
    this.json = json;
  }

  /// Returns normally when Go would accept the document.
  static void check(byte[] json) throws JsonSyntaxException {
    GoSyntaxErrors syntax = new GoSyntaxErrors(json);
    syntax.value(syntax.word(), 0);
    while (syntax.at < json.length) {
      int c = syntax.take();
      if (!isSpace(c)) {
        throw invalid(c, "after top-level value");
      }
    }
  }

  private void value(int first, int depth) throws JsonSyntaxException {
    if (depth > MAX_DEPTH) {
      throw new JsonSyntaxException("exceeded max depth");
    }
    switch (first) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-' -> {
        int digit = take();
        if (!isDigit(digit)) {
          throw invalid(digit, "in numeric literal");
        }
        number(digit);
      }
      default -> {
        if (!isDigit(first)) {
          throw invalid(first, "looking for beginning of value");
        }
        number(first);
      }
    }
  }

  private void object(int depth) throws JsonSyntaxException {
    int c = word();
    if (c == '}') {
      return;
    }
    while (true) {
      if (c != '"') {
        throw invalid(c, "looking for beginning of object key string");
      }
      string();
      c = word();
      if (c != ':') {
        throw invalid(c, "after object key");
      }
      value(word(), depth + 1);
      c = word();
      if (c == '}') {
        return;
      }
      if (c != ',') {
        throw invalid(c, "after object key:value pair");
      }
      c = word();
    }
  }

  private void array(int depth) throws JsonSyntaxException {
    int c = word();
    if (c == ']') {
      return;
    }
    while (true) {
      value(c, depth + 1);
      c = word();
      if (c == ']') {
        return;
      }
      if (c != ',') {
        throw invalid(c, "after array element");
      }
      c = word();
    }
  }

  private void string() throws JsonSyntaxException {
    for (int c = take(); c != '"'; c = take()) {
      if (c < ' ') {
        throw invalid(c, "in string literal");
      }
      if (c == '\\') {
        escape();
      }
    }
  }

  private void escape() throws JsonSyntaxException {
    int c = take();
    if ("bfnrt\\/\"u".indexOf(c) < 0) {
      throw invalid(c, "in string escape code");
    }
    for (int i = 0; c == 'u' && i < 4; i++) {
      int digit = take();
      if (Character.digit(digit, 16) < 0) {
        throw invalid(digit, "in \\u hexadecimal character escape");
      }
    }
  }

  private void literal(String word) throws JsonSyntaxException {
    for (int i = 1; i < word.length(); i++) {
      int c = take();
      if (c != word.charAt(i)) {
        throw invalid(c, "in literal %s (expecting '%c')".formatted(word, word.charAt(i)));
      }
    }
  }

  private void number(int first) throws JsonSyntaxException {
    if (first != '0') {
      digits();
    }
    if (peek() == '.') {
      at++;
      requireDigit("after decimal point in numeric literal");
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      requireDigit("in exponent of numeric literal");
      digits();
    }
  }

  private void requireDigit(String where) throws JsonSyntaxException {
    int c = take();
    if (!isDigit(c)) {
      throw invalid(c, where);
    }
  }

  private void digits() throws JsonSyntaxException {
    while (isDigit(peek())) {
      at++;
    }
  }

  /// The next character that is not white space.
  private int word() throws JsonSyntaxException {
    int c = take();
    while (isSpace(c)) {
      c = take();
    }
    return c;
  }

  private int take() throws JsonSyntaxException {
    int c = peek();
    at++;
    return c;
  }

  /// Go appends a space to the document, which ends a number or literal.
  private int peek() throws JsonSyntaxException {
    if (at > json.length) {
      throw new JsonSyntaxException("unexpected end of JSON input");
    }
    return at == json.length ? ' ' : json[at] & 0xff;
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static JsonSyntaxException invalid(int c, String where) {
    return new JsonSyntaxException("invalid character '" + quoted(c) + "' " + where);
  }

  /// A byte as Go quotes the character with that code.
  private static String quoted(int c) {
    return switch (c) {
      case 0x07 -> "\\a";
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      case 0x0b -> "\\v";
      case '\\' -> "\\\\";
      case '\'' -> "\\'";
      case 0xad -> "\\u00ad";
      default ->
          c < ' ' || c == 0x7f
              ? "\\x%02x".formatted(c)
              : c > 0x7f && c <= 0xa0 ? "\\u%04x".formatted(c) : String.valueOf((char) c);
    };
  }
}
