package dev.berth.api;

import java.nio.charset.StandardCharsets;

/// Truncates text from other programs, such as a runtime's errors, before it is logged or stored.
public final class TruncatedText {
  /// The longest message of an event, as `events.k8s.io` allows it.
  public static final int EVENT = 1024;

  /// The longest message in a status or a log line: the maximum of a termination message.
  public static final int MESSAGE = 4096;

  private static final String MORE = "...";

  private TruncatedText() {}

  /// The text, or its beginning with `...`.
  ///
  /// @param most the maximum in bytes of UTF-8
  public static String of(String text, int most) {
    return fits(text, most) ? text : cut(text, most - MORE.length()) + MORE;
  }

  /// The longest beginning of the text that fits, cut between characters.
  ///
  /// @param most bytes of UTF-8
  public static String cut(String text, int most) {
    if (fits(text, most)) {
      return text;
    }
    int size = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      size += size(character);
      if (size > most) {
        break;
      }
      end += Character.charCount(character);
    }
    return text.substring(0, end);
  }

  /// Whether the text fits; a `char` has at most three bytes in UTF-8, so that most texts need no
  /// encoding to be measured.
  private static boolean fits(String text, int most) {
    return text.length() <= most / 3
        || (text.length() <= most && text.getBytes(StandardCharsets.UTF_8).length <= most);
  }

  private static int size(int character) {
    if (character < 0x80) {
      return 1;
    }
    return character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }
}
