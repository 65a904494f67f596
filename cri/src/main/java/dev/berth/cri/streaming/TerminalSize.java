package dev.berth.cri.streaming;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The size of a client's terminal, in characters, as the resize channel carries it:
/// `{"Width":80,"Height":24}`.
record TerminalSize(int width, int height) {
  /// The kernel keeps a size in 16 bits.
  private static final Pattern WIDTH = Pattern.compile("\"Width\"\\s*:\\s*(\\d{1,5})\\b");

  private static final Pattern HEIGHT = Pattern.compile("\"Height\"\\s*:\\s*(\\d{1,5})\\b");

  /// Empty for a message that is not a size; a client that sends one loses nothing else.
  static Optional<TerminalSize> parse(byte[] message) {
    String text = new String(message, StandardCharsets.UTF_8);
    Matcher width = WIDTH.matcher(text);
    Matcher height = HEIGHT.matcher(text);
    if (!width.find() || !height.find()) {
      return Optional.empty();
    }
    return Optional.of(
        new TerminalSize(Integer.parseInt(width.group(1)), Integer.parseInt(height.group(1))));
  }
}
