package dev.berth.server.json;

/// Finds the position of the first base64 error as Go's decoder reports it; unlike Java's decoder,
/// Go's requires padding. Users who forget to encode a Secret see this position.
///
/// The class only checks; `ScalarForms` decodes what it accepts.
final class GoBase64 {
  private static final int NONE = -1;

  private final String text;
  private int at;

  private GoBase64(String text) {
    this.text = text;
  }

  /// The position of the first error, or -1. Line breaks are allowed anywhere.
  static int fault(String text) {
    return new GoBase64(text).find();
  }

  private int find() {
    for (int digits = 0; ; ) {
      skipBreaks();
      if (at == text.length()) {
        return digits == 0 ? NONE : at - digits;
      }
      char c = text.charAt(at);
      if (c == '=') {
        return padding(digits);
      }
      if (!isDigit(c)) {
        return at;
      }
      at++;
      digits = (digits + 1) % 4;
    }
  }

  /// Two digits need two padding characters, three digits one; nothing may follow them.
  private int padding(int digits) {
    if (digits < 2) {
      return at;
    }
    at++;
    if (digits == 2) {
      skipBreaks();
      if (at == text.length()) {
        return at;
      }
      if (text.charAt(at) != '=') {
        return at - 1;
      }
      at++;
    }
    skipBreaks();
    return at == text.length() ? NONE : at;
  }

  private void skipBreaks() {
    while (at < text.length() && (text.charAt(at) == '\n' || text.charAt(at) == '\r')) {
      at++;
    }
  }

  private static boolean isDigit(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/';
  }
}
