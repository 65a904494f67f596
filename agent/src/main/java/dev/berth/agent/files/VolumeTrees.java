package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/// Directories with all they hold, which containers may change meanwhile. Only the agent can change
/// the paths of the directories themselves.
public final class VolumeTrees {
  private VolumeTrees() {}

  /// Links are removed, not followed; what is not there is no mistake.
  ///
  /// @throws IOException also when something is mounted in it, which is left alone
  public static void delete(Path root) throws IOException {
    Path absolute = root.toAbsolutePath();
    try (DirectoryHandle parent =
        DirectoryHandle.open(Objects.requireNonNull(absolute.getParent()))) {
      parent.removeTree(Objects.requireNonNull(absolute.getFileName()).toString());
    } catch (NoSuchFileException | NotDirectoryException _) {
      // Nothing is there.
    }
  }

  /// All files; those that come or go meanwhile may be missing.
  public static DiskUsage measure(Path root) {
    try (DirectoryHandle directory = DirectoryHandle.openPlain(root)) {
      TreeUsage usage = TreeUsage.of(directory);
      return new DiskUsage(usage.bytes(), usage.inodes());
    } catch (IOException _) {
      return DiskUsage.NONE;
    }
  }
}
