package dev.berth.relay.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// How many files and sockets this process may have open.
public final class OpenFiles {
  private OpenFiles() {}

  /// The limit of the process; the JVM raises it as far as it may at its start.
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
      // Another system than Linux, or one without /proc.
      return Long.MAX_VALUE;
    }
  }
}
