package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes files that others read at any time.
final class AtomicFile {
  private AtomicFile() {}

  /// Leaves a file alone that has this text; else it is replaced at once.
  ///
  /// @param draft on the same disk, where nobody looks
  static void write(Path file, Path draft, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
