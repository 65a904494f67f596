package dev.berth.agent.volumes.host;

import dev.berth.agent.files.BeneathLookup;
import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// A part of a volume that a container asks for.
public final class SubPath {
  private SubPath() {}

  /// The part, which stays the same file or directory whatever containers do to its name. If it is
  /// not there it is made as a directory; whoever may write in the volume may write there, too.
  ///
  /// @throws dev.berth.agent.files.PathEscapeException when it is not in the volume
  public static FileHandle make(Path volume, String subPath) throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      return BeneathLookup.make(root, subPath);
    }
  }
}
