package dev.berth.server.json;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import org.jspecify.annotations.Nullable;

/// Escapes the characters in strings that Go escapes: controllers compare a ControllerRevision's
/// data byte by byte with their own encoding.
final class GoEscapes extends CharacterEscapes {
  private static final long serialVersionUID = 1L;

  private static final SerializableString LINE_SEPARATOR = new SerializedString("\\u2028");
  private static final SerializableString PARAGRAPH_SEPARATOR = new SerializedString("\\u2029");

  private final int[] ascii = standardAsciiEscapesForJSON();

  GoEscapes() {
    for (char letter : "<>&".toCharArray()) {
      ascii[letter] = ESCAPE_STANDARD;
    }
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ascii;
  }

  @Override
  public @Nullable SerializableString getEscapeSequence(int letter) {
    return switch (letter) {
      case 0x2028 -> LINE_SEPARATOR;
      case 0x2029 -> PARAGRAPH_SEPARATOR;
      default -> null;
    };
  }
}
