package dev.berth.agent.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resolves a path within a directory step by step: each name is opened in the directory before it,
/// and links are read and followed here, not by the kernel. A container that replaces directories
/// by links in between cannot lead out.
public final class BeneathLookup implements AutoCloseable {
  /// The kernel's own limit.
  private static final int MOST_LINKS = 40;

  /// Containers may nest directories without bound; each level holds an open descriptor.
  private static final int DEEPEST = 256;

  /// How often a name may change between two steps.
  private static final int MOST_ATTEMPTS = 100;

  private final DirectoryHandle root;
  private final @Nullable DirectoryMode rights;
  private final LinuxCalls calls = new LinuxCalls();
  private final Deque<String> names = new ArrayDeque<>();

  /// The descriptors from below the root to the current directory.
  private final Deque<Integer> way = new ArrayDeque<>();

  private int links;

  private BeneathLookup(DirectoryHandle root, @Nullable DirectoryMode rights) {
    this.root = root;
    this.rights = rights;
  }

  /// Opens what the path leads to.
  ///
  /// @throws PathEscapeException when the path or a link on it leads out of the directory
  public static FileHandle find(DirectoryHandle root, String path) throws IOException {
    try (BeneathLookup lookup = new BeneathLookup(root, null)) {
      return lookup.run(path);
    }
  }

  /// The same; missing directories are created with the root's rights.
  public static FileHandle make(DirectoryHandle root, String path) throws IOException {
    DirectoryMode rights = DirectoryMode.of(root);
    try (BeneathLookup lookup = new BeneathLookup(root, rights)) {
      return lookup.run(path);
    }
  }

  private FileHandle run(String path) throws IOException {
    if (path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new PathEscapeException();
    }
    prepend(path);
    while (!names.isEmpty()) {
      String name = names.remove();
      if (name.equals("..")) {
        up();
      } else if (!name.isEmpty() && !name.equals(".")) {
        down(name, 0);
      }
    }
    Path shown = root.path().resolve(path);
    if (way.isEmpty()) {
      // Another descriptor of the root: the caller closes it.
      byte[] itself = {'.'};
      return new FileHandle(
          calls.open(root.descriptor(), itself, OpenFlags.PATH_ONLY, 0, shown), shown);
    }
    return new FileHandle(way.pop(), shown);
  }

  private void prepend(String path) {
    List<String> more = Arrays.asList(path.split("/", -1));
    more.reversed().forEach(names::addFirst);
  }

  private void up() throws IOException {
    if (way.isEmpty()) {
      throw new PathEscapeException();
    }
    calls.close(way.pop());
  }

  private int here() {
    return way.isEmpty() ? root.descriptor() : way.element();
  }

  private void down(String name, int attempt) throws IOException {
    if (attempt > MOST_ATTEMPTS || way.size() >= DEEPEST) {
      throw new FileSystemException(
          root.path().toString(), null, "the path is too deep, or changes all the time");
    }
    byte[] bytes = LinuxCalls.bytes(name);
    int found;
    try {
      found = calls.open(here(), bytes, OpenFlags.PATH_ONLY | OpenFlags.NO_LINK, 0, root.path());
    } catch (NoSuchFileException e) {
      if (rights == null) {
        throw e;
      }
      make(bytes, rights);
      down(name, attempt + 1);
      return;
    }
    way.push(found);
    FileStatus status = calls.status(found, root.path());
    if (status.isSymbolicLink()) {
      follow(new String(calls.readLink(found, root.path()), StandardCharsets.UTF_8));
    } else if (!status.isDirectory() && !names.isEmpty()) {
      throw new NotDirectoryException(root.path().resolve(name).toString());
    }
  }

  /// A concurrent creation of the same name may win.
  private void make(byte[] name, DirectoryMode rights) throws IOException {
    try {
      calls.makeDirectory(here(), name, DirectoryMode.NONE, root.path());
      int made = calls.open(here(), name, OpenFlags.LISTED_DIRECTORY, 0, root.path());
      try {
        rights.give(calls, made, root.path());
      } finally {
        calls.close(made);
      }
    } catch (FileAlreadyExistsException
        | NoSuchFileException
        | NotDirectoryException
        | FileSystemLoopException _) {
      // The name changed in between; the next attempt sees the new state.
    }
  }

  /// Follows a link. An absolute link is valid only if it names this directory.
  private void follow(String target) throws IOException {
    if (++links > MOST_LINKS) {
      throw new FileSystemLoopException(root.path().toString());
    }
    calls.close(way.pop());
    String inside = target;
    if (target.startsWith("/")) {
      Path real = root.self().realPath();
      Path absolute = Path.of(target);
      if (!absolute.startsWith(real)) {
        throw new PathEscapeException();
      }
      inside = real.relativize(absolute).toString();
      while (!way.isEmpty()) {
        calls.close(way.pop());
      }
    }
    prepend(inside);
  }

  @Override
  public void close() {
    way.forEach(calls::close);
    calls.close();
  }
}
