package dev.berth.agent.files;

import dev.berth.agent.files.CallFailure.DirectoryFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/// Removes directory trees. Links are removed, not followed; mounts are left alone.
final class TreeRemoval implements TreeWalk.Visitor {
  private final Path root;

  private TreeRemoval(Path root) {
    this.root = root;
  }

  /// Removes a tree; a missing one is not an error.
  static void remove(DirectoryHandle parent, byte[] name) throws IOException {
    Path path = parent.path().resolve(new String(name, StandardCharsets.UTF_8));
    TreeRemoval removal = new TreeRemoval(path);
    try (LinuxCalls calls = new LinuxCalls()) {
      int top;
      try {
        top = calls.open(parent.descriptor(), name, OpenFlags.LISTED_DIRECTORY, 0, path);
      } catch (NoSuchFileException _) {
        return;
      } catch (NotDirectoryException | FileSystemLoopException _) {
        removal.remove(calls, parent.descriptor(), name, 0);
        return;
      }
      try (DirectoryHandle directory = new DirectoryHandle(top, path)) {
        if (!directory.self().status().isOnSameMount(parent.self().status())) {
          removal.mounted(name);
        }
        TreeWalk.walk(directory, removal);
      }
      removal.remove(calls, parent.descriptor(), name, LinuxCalls.AT_REMOVEDIR);
    }
  }

  /// Directories are read again until they are empty, since entries may change type in between.
  @Override
  public void file(LinuxCalls calls, int directory, byte[] name) throws IOException {
    try {
      remove(calls, directory, name, 0);
    } catch (DirectoryFoundException _) {
      // The entry became a directory; the next reading enters it.
    }
  }

  @Override
  public void left(LinuxCalls calls, int parent, byte[] name) throws IOException {
    try {
      remove(calls, parent, name, LinuxCalls.AT_REMOVEDIR);
    } catch (NotDirectoryException | DirectoryNotEmptyException _) {
      // The directory is not empty; it is read again.
    }
  }

  private void remove(LinuxCalls calls, int directory, byte[] name, int flags) throws IOException {
    try {
      calls.remove(directory, name, flags, root);
    } catch (NoSuchFileException _) {
      // Already removed.
    }
  }

  @Override
  public void mounted(byte[] name) throws IOException {
    throw new FileSystemException(
        root.toString(),
        null,
        "something is mounted in it at a directory called "
            + new String(name, StandardCharsets.UTF_8));
  }

  @Override
  public boolean empties() {
    return true;
  }
}
