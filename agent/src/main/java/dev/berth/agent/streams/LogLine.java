package dev.berth.agent.streams;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One line of a log as runtimes write it: `2016-10-06T00:17:09.669794202Z stdout F the text`.
///
/// @param partial the text goes on in the next line
/// @param content with its line end, unless it is partial
// Lines are never compared.
@SuppressWarnings("ArrayRecordComponent")
record LogLine(Instant time, boolean partial, byte[] content) {
  private static final DateTimeFormatter FIXED =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  /// Null when the line is in another format, or incomplete.
  static @Nullable LogLine parse(byte[] line, int length) {
    int stream = after(line, 0, length);
    int tag = stream < 0 ? -1 : after(line, stream, length);
    int content = tag < 0 ? -1 : after(line, tag, length);
    if (content < 0) {
      return null;
    }
    String time = new String(line, 0, stream - 1, StandardCharsets.US_ASCII);
    boolean partial = line[tag] == 'P';
    try {
      int end = partial && line[length - 1] == '\n' ? length - 1 : length;
      return new LogLine(
          OffsetDateTime.parse(time).toInstant(), partial, Arrays.copyOfRange(line, content, end));
    } catch (DateTimeException _) {
      return null;
    }
  }

  /// The position after the next space.
  private static int after(byte[] line, int from, int length) {
    for (int i = from; i < length; i++) {
      if (line[i] == ' ') {
        return i + 1;
      }
    }
    return -1;
  }

  /// The timestamp with nine digits, as clients expect it.
  byte[] timestamp() {
    return (FIXED.format(time) + " ").getBytes(StandardCharsets.US_ASCII);
  }
}
