package dev.berth.vm.pods.output;

import dev.berth.vm.guest.model.GuestStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/// Lines of a log file in CRI's format, `<time> stdout|stderr F|P <content>`.
///
/// What a program wrote without a line end is written at once, with the tag `P`: readers join it
/// with what follows. So everything that the guest may forget is in the file.
final class LogLines {
  /// containerd's `max_container_log_line_size`.
  private static final int LONGEST_CONTENT = 16 * 1024;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendLiteral('Z')
          .toFormatter(Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private LogLines() {}

  static byte[] of(Instant time, GuestStream stream, byte[] output) {
    String name = stream == GuestStream.STDERR ? " stderr " : " stdout ";
    byte[] head = (TIME.format(time) + name).getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream lines = new ByteArrayOutputStream(output.length + 2 * head.length);
    int at = 0;
    while (at < output.length) {
      int end = at;
      while (end < output.length && output[end] != '\n' && end - at < LONGEST_CONTENT) {
        end++;
      }
      boolean whole = end < output.length && output[end] == '\n';
      lines.writeBytes(head);
      lines.write(whole ? 'F' : 'P');
      lines.write(' ');
      lines.write(output, at, end - at);
      lines.write('\n');
      at = whole ? end + 1 : end;
    }
    return lines.toByteArray();
  }

  /// How many bytes of a stream a line holds; 0 for a line of another stream, or for no line.
  static long count(String line, GuestStream stream) {
    String[] words = line.split(" ", 4);
    if (words.length < 4 || !words[1].equals(stream == GuestStream.STDERR ? "stderr" : "stdout")) {
      return 0;
    }
    return words[3].length() + (words[2].equals("F") ? 1L : 0L);
  }
}
