package dev.berth.vm.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Reads what the launcher keeps of a machine's output: eight bytes with the number of bytes
/// written so far, then the last of them in a ring.
final class ConsoleRing {
  private static final int HEADER = 8;
  private static final int LIMIT = 1 << 16;

  private ConsoleRing() {}

  /// The last bytes, without the first line if it was cut; empty where nothing is.
  static String text(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException nothing) {
      return "";
    }
    return text(bytes);
  }

  static String text(byte[] bytes) {
    long written = written(bytes);
    int kept = (int) Math.min(written, bytes.length - HEADER);
    if (kept <= 0 || (written > kept && kept < LIMIT)) {
      return "";
    }
    byte[] ordered = new byte[kept];
    for (int i = 0; i < kept; i++) {
      ordered[i] = bytes[HEADER + (int) ((written - kept + i) % LIMIT)];
    }
    String text = new String(ordered, StandardCharsets.UTF_8);
    return written > kept ? text.substring(text.indexOf('\n') + 1) : text;
  }

  /// How much was ever written, which grows while a guest boots.
  static long written(Path file) {
    try {
      return written(Files.readAllBytes(file));
    } catch (IOException nothing) {
      return 0;
    }
  }

  private static long written(byte[] bytes) {
    return bytes.length < HEADER
        ? 0
        : Math.max(0, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
  }

  /// The last lines, for a message.
  static String lastLines(String text, int lines) {
    String[] all = text.strip().split("\r?\n", -1);
    int from = Math.max(0, all.length - lines);
    return String.join(" | ", Arrays.copyOfRange(all, from, all.length)).strip();
  }
}
