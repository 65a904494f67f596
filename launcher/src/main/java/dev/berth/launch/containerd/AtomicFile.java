package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes files atomically, because other processes may read them at any time. The contents are not
/// synced: they are written again at the next start.
final class AtomicFile {
  private AtomicFile() {}

  /// Replaces a file unless it already has this text.
  ///
  /// @param draft a file on the same file system, which is written first and then renamed
  static void write(Path file, Path draft, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
