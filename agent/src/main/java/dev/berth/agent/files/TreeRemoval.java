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

/// Removes directories with all they hold. Links are removed, not followed; what is mounted in them
/// is left alone.
final class TreeRemoval implements TreeWalk.Visitor {
  private final Path root;

  private TreeRemoval(Path root) {
    this.root = root;
  }

  /// What is not there is no mistake.
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

  /// What became something else meanwhile is found again: directories are read until they are
  /// empty.
  @Override
  public void file(LinuxCalls calls, int directory, byte[] name) throws IOException {
    try {
      remove(calls, directory, name, 0);
    } catch (DirectoryFoundException _) {
      // It is entered the next time.
    }
  }

  @Override
  public void left(LinuxCalls calls, int parent, byte[] name) throws IOException {
    try {
      remove(calls, parent, name, LinuxCalls.AT_REMOVEDIR);
    } catch (NotDirectoryException | DirectoryNotEmptyException _) {
      // It is looked at again.
    }
  }

  private void remove(LinuxCalls calls, int directory, byte[] name, int flags) throws IOException {
    try {
      calls.remove(directory, name, flags, root);
    } catch (NoSuchFileException _) {
      // Somebody else has done it.
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
