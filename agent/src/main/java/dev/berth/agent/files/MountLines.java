package dev.berth.agent.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The lines of the kernel's mount table. They contain names that containers chose for bind-mounted
/// directories: arbitrary bytes except line feed, space, tab and backslash.
public final class MountLines {
  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  private MountLines() {}

  /// The lines; empty on a system without the table.
  public static List<String> read() throws IOException {
    return Files.exists(TABLE) ? of(Files.readAllBytes(TABLE)) : List.of();
  }

  /// Only a line feed ends a line: a carriage return may be part of a name.
  static List<String> of(byte[] table) {
    String text = new String(table, StandardCharsets.UTF_8);
    return text.isEmpty() ? List.of() : List.of(text.split("\n"));
  }
}
