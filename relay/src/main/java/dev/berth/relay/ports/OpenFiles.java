package dev.berth.relay.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The limit of open files and sockets of this process.
public final class OpenFiles {
  private OpenFiles() {}

  /// Reads the limit. The JVM raises it to the hard limit at its start.
  public static long limit() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
      return lines
          .filter(line -> line.startsWith("Max open files"))
          .map(line -> line.split("\\s+", -1)[3])
          .filter(text -> text.matches("\\d{1,18}"))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    } catch (IOException | UncheckedIOException e) {
      // Not Linux, or no /proc.
      return Long.MAX_VALUE;
    }
  }
}
