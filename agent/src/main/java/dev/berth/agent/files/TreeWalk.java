package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/// Walks a directory tree by descriptors: never through a link and never into another mount. Trees
/// may have any depth and size: there is no recursion, only directories near the root stay open,
/// and directories are read in pieces.
final class TreeWalk {
  /// Directories that stay open; deeper ones are reopened through `..` and compared.
  private static final int OPEN_DIRECTORIES = 32;

  /// How often a directory is read again while something keeps filling it.
  private static final int MOST_READINGS = 100;

  /// The actions of a walk.
  interface Visitor {
    /// An entry that is not, or no longer, a directory.
    void file(LinuxCalls calls, int directory, byte[] name) throws IOException;

    /// A directory on another mount, which is not entered.
    void mounted(byte[] name) throws IOException;

    /// All entries of the directory were visited.
    void left(LinuxCalls calls, int parent, byte[] name) throws IOException;

    /// Whether directories are read again until they are empty.
    boolean empties();
  }

  /// A directory between the root and the current position.
  private static final class Level {
    final byte[] name;
    final FileStatus status;
    final Deque<byte[]> directories = new ArrayDeque<>();
    int descriptor;
    long position;
    int readings;
    boolean hasEntries;

    Level(byte[] name, FileStatus status, int descriptor) {
      this.name = name;
      this.status = status;
      this.descriptor = descriptor;
    }
  }

  private final DirectoryHandle root;
  private final Visitor visitor;
  private final LinuxCalls calls;
  private final EntryReader reader;
  private final Deque<Level> levels = new ArrayDeque<>();

  private TreeWalk(DirectoryHandle root, Visitor visitor, LinuxCalls calls) {
    this.root = root;
    this.visitor = visitor;
    this.calls = calls;
    this.reader = new EntryReader(calls);
  }

  static void walk(DirectoryHandle root, Visitor visitor) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      TreeWalk walk = new TreeWalk(root, visitor, calls);
      try {
        walk.run();
      } finally {
        walk.closeAll();
      }
    }
  }

  private void run() throws IOException {
    FileStatus top = calls.status(root.descriptor(), root.path());
    levels.push(new Level(new byte[0], top, root.descriptor()));
    while (true) {
      Level level = levels.element();
      byte[] name = level.directories.poll();
      if (name != null) {
        enter(level, name);
      } else if (!readOn(level)) {
        if (levels.size() == 1) {
          return;
        }
        leave(levels.pop());
      }
    }
  }

  /// Reads the next piece of a directory and visits its files.
  ///
  /// @return whether there was one
  private boolean readOn(Level level) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new IOException("interrupted in " + root.path());
    }
    EntryReader.Piece piece = reader.read(level.descriptor, level.position, root.path());
    if (piece.isLast()) {
      boolean again = visitor.empties() && level.hasEntries && ++level.readings < MOST_READINGS;
      level.position = 0;
      level.hasEntries = false;
      return again;
    }
    level.position = piece.next();
    level.hasEntries |= !piece.entries().isEmpty();
    for (EntryReader.Entry entry : piece.entries()) {
      if (entry.mayBeDirectory()) {
        level.directories.add(entry.name());
      } else {
        visitor.file(calls, level.descriptor, entry.name());
      }
    }
    return true;
  }

  private void enter(Level parent, byte[] name) throws IOException {
    int descriptor;
    try {
      descriptor = calls.open(parent.descriptor, name, OpenFlags.LISTED_DIRECTORY, 0, root.path());
    } catch (NoSuchFileException _) {
      return;
    } catch (NotDirectoryException | FileSystemLoopException _) {
      visitor.file(calls, parent.descriptor, name);
      return;
    }
    FileStatus status = calls.status(descriptor, root.path());
    if (!status.isOnSameMount(parent.status)) {
      calls.close(descriptor);
      visitor.mounted(name);
      return;
    }
    if (levels.size() > OPEN_DIRECTORIES) {
      calls.close(parent.descriptor);
      parent.descriptor = -1;
    }
    levels.push(new Level(name, status, descriptor));
  }

  private void leave(Level level) throws IOException {
    Level parent = levels.element();
    try {
      if (parent.descriptor < 0) {
        parent.descriptor = openParent(level, parent.status);
      }
    } finally {
      calls.close(level.descriptor);
    }
    visitor.left(calls, parent.descriptor, level.name);
  }

  /// Opens the parent and verifies it: `..` leads elsewhere when the directory was moved.
  private int openParent(Level level, FileStatus expected) throws IOException {
    int descriptor =
        calls.open(
            level.descriptor, new byte[] {'.', '.'}, OpenFlags.LISTED_DIRECTORY, 0, root.path());
    FileStatus found = calls.status(descriptor, root.path());
    if (!found.isSameFile(expected) || !found.isOnSameMount(expected)) {
      calls.close(descriptor);
      throw new FileSystemException(
          root.path().toString(), null, "a directory in it was moved meanwhile");
    }
    return descriptor;
  }

  private void closeAll() {
    while (levels.size() > 1) {
      int descriptor = Objects.requireNonNull(levels.pop()).descriptor;
      if (descriptor >= 0) {
        calls.close(descriptor);
      }
    }
  }
}
