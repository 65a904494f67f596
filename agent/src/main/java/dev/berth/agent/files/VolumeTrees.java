package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/// Removes and measures directory trees that containers may change at the same time. Only the agent
/// can change the paths of their roots.
public final class VolumeTrees {
  private VolumeTrees() {}

  /// Removes a tree; a missing one is not an error. Links are removed, not followed.
  ///
  /// @throws IOException also when something is mounted in it, which is left alone
  public static void delete(Path root) throws IOException {
    Path absolute = root.toAbsolutePath();
    try (DirectoryHandle parent =
        DirectoryHandle.open(Objects.requireNonNull(absolute.getParent()))) {
      parent.removeTree(Objects.requireNonNull(absolute.getFileName()).toString());
    } catch (NoSuchFileException | NotDirectoryException _) {
      // The tree does not exist.
    }
  }

  /// The disk usage of a tree; concurrent changes may be missed.
  public static DiskUsage measure(Path root) {
    try (DirectoryHandle directory = DirectoryHandle.openPlain(root)) {
      TreeUsage usage = TreeUsage.of(directory);
      return new DiskUsage(usage.bytes(), usage.inodes());
    } catch (IOException _) {
      return DiskUsage.NONE;
    }
  }
}
