package dev.berth.agent.volumes.host;

import dev.berth.agent.files.BeneathLookup;
import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// Resolves the subPath of a volume mount.
public final class SubPath {
  private SubPath() {}

  /// Opens the file or directory, which stays the same whatever containers do to its name. A
  /// missing one is created as a directory with the rights of its parent.
  ///
  /// @throws dev.berth.agent.files.PathEscapeException when the path leaves the volume
  public static FileHandle make(Path volume, String subPath) throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      return BeneathLookup.make(root, subPath);
    }
  }
}
