package dev.berth.agent.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The lines of the kernel's table of mounts. They show names that containers have given to
/// directories which are bound for them: those need not be text, and may hold every byte but a line
/// feed, a blank, a tab, a backslash.
public final class MountLines {
  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  private MountLines() {}

  /// None on a system without the table.
  public static List<String> read() throws IOException {
    return Files.exists(TABLE) ? of(Files.readAllBytes(TABLE)) : List.of();
  }

  /// A carriage return does not end a line.
  static List<String> of(byte[] table) {
    String text = new String(table, StandardCharsets.UTF_8);
    return text.isEmpty() ? List.of() : List.of(text.split("\n"));
  }
}
