package dev.berth.agent.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// An open directory: all methods act on this very directory, wherever it is moved and whatever
/// takes its name. Names are single names, never paths, and links are never followed. Confined to
/// one thread at a time.
public final class DirectoryHandle implements AutoCloseable {
  private static final int PRIVATE_FILE = 0600;
  private static final int ANY_MODE = 0777;

  static {
    requireThatLinksAreSeen();
  }

  private final FileHandle handle;
  private final Path path;

  DirectoryHandle(int descriptor, Path path) {
    this.handle = new FileHandle(descriptor, path);
    this.path = path;
  }

  /// Verifies O_NOFOLLOW at the start: flags differ between processors, and a wrong one would void
  /// every check.
  private static void requireThatLinksAreSeen() {
    Path link = Path.of("/proc/self");
    try (DirectoryHandle _ = openPlain(link)) {
      throw new UnsupportedOperationException(
          "this system opens the symbolic link %s although it must not (processor %s); files of pods are not safe on it"
              .formatted(link, System.getProperty("os.arch")));
    } catch (IOException _) {
      // The link was refused, as it must be.
    }
  }

  /// Opens a directory whose whole path only the agent can change, or that the user of a `hostPath`
  /// may choose.
  public static DirectoryHandle open(Path path) throws IOException {
    return open(path, OpenFlags.READ | OpenFlags.DIRECTORY);
  }

  /// The same, and the directory itself must not be a link.
  public static DirectoryHandle openPlain(Path path) throws IOException {
    return open(path, OpenFlags.LISTED_DIRECTORY);
  }

  private static DirectoryHandle open(Path path, int flags) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      byte[] absolute = LinuxCalls.bytes(path.toAbsolutePath().toString());
      return new DirectoryHandle(
          calls.open(LinuxCalls.NO_DIRECTORY, absolute, flags, 0, path), path);
    }
  }

  /// Opens the directory of a file.
  ///
  /// @param levels how many directories at the end of its path must not be links
  public static DirectoryHandle openParent(Path file, int levels) throws IOException {
    Path root = Objects.requireNonNull(file.toAbsolutePath().getParent());
    List<String> names = new ArrayList<>();
    for (int i = 0; i < levels && root.getNameCount() > 0; i++) {
      names.addFirst(Objects.requireNonNull(root.getFileName()).toString());
      root = Objects.requireNonNull(root.getParent());
    }
    DirectoryHandle directory = open(root);
    for (String name : names) {
      try (DirectoryHandle parent = directory) {
        directory = parent.directory(name);
      }
    }
    return directory;
  }

  /// Opens the directory of a log, `POD/CONTAINER/ATTEMPT.log`: none of the three may be a link.
  public static DirectoryHandle ofLog(Path log) throws IOException {
    return openParent(log, 2);
  }

  /// Creates a directory with its parents.
  ///
  /// @param root only the agent can change its path
  /// @param names below the root; links among them are refused
  public static DirectoryHandle make(Path root, String... names) throws IOException {
    Files.createDirectories(root);
    DirectoryHandle directory = open(root);
    for (String name : names) {
      try (DirectoryHandle parent = directory) {
        parent.makeDirectory(name);
        directory = parent.directory(name);
      }
    }
    return directory;
  }

  /// The path at the time of opening, for messages.
  public Path path() {
    return path;
  }

  /// The directory itself.
  public FileHandle self() {
    return handle;
  }

  int descriptor() {
    return handle.descriptor;
  }

  private static byte[] name(String name) {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("\"%s\" is not the name of one file".formatted(name));
    }
    return LinuxCalls.bytes(name);
  }

  private FileHandle open(String name, int flags, int mode) throws IOException {
    Path whole = path.resolve(name);
    try (LinuxCalls calls = new LinuxCalls()) {
      return new FileHandle(
          calls.open(
              descriptor(), name(name), flags | OpenFlags.NO_LINK | OpenFlags.NO_WAIT, mode, whole),
          whole);
    }
  }

  public DirectoryHandle directory(String name) throws IOException {
    return new DirectoryHandle(
        open(name, OpenFlags.LISTED_DIRECTORY, 0).descriptor, path.resolve(name));
  }

  /// Finds an entry without opening it for I/O: to inspect it, or to read it if it is a regular
  /// file.
  public FileHandle find(String name) throws IOException {
    Path whole = path.resolve(name);
    try (LinuxCalls calls = new LinuxCalls()) {
      int flags = OpenFlags.PATH_ONLY | OpenFlags.NO_LINK;
      return new FileHandle(calls.open(descriptor(), name(name), flags, 0, whole), whole);
    }
  }

  /// Creates a file, private to the agent until its mode is set.
  public FileHandle create(String name) throws IOException {
    return open(name, OpenFlags.WRITE | OpenFlags.CREATE | OpenFlags.EXCLUSIVE, PRIVATE_FILE);
  }

  /// Opens or creates a regular file.
  public FileHandle createOrOpen(String name) throws IOException {
    try {
      return create(name);
    } catch (FileAlreadyExistsException _) {
      FileHandle there = open(name, OpenFlags.WRITE, 0);
      if (!there.status().isRegularFile()) {
        there.close();
        throw new FileSystemException(there.toString(), null, "not a regular file");
      }
      return there;
    }
  }

  public Optional<FileStatus> status(String name) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      return Optional.of(calls.status(descriptor(), name(name), path.resolve(name)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /// Creates a directory unless the name exists, whatever it is.
  ///
  /// @return whether it was created
  public boolean makeDirectory(String name) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.makeDirectory(descriptor(), name(name), ANY_MODE, path.resolve(name));
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    }
  }

  /// Removes anything but a directory; a missing name is not an error.
  public void remove(String name) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.remove(descriptor(), name(name), 0, path.resolve(name));
    } catch (NoSuchFileException _) {
      // Already removed.
    }
  }

  /// Removes a directory tree; a missing name is not an error.
  public void removeTree(String name) throws IOException {
    TreeRemoval.remove(this, LinuxCalls.bytes(name));
  }

  /// Removes all entries except these names.
  public void removeAllBut(Set<String> names) throws IOException {
    for (byte[] one : new EntryList(this).names()) {
      if (!names.contains(new String(one, StandardCharsets.UTF_8))) {
        TreeRemoval.remove(this, one);
      }
    }
  }

  /// The names of all entries, unordered.
  public List<String> names() throws IOException {
    return new EntryList(this)
        .names().stream().map(name -> new String(name, StandardCharsets.UTF_8)).toList();
  }

  /// Renames an entry; an existing target is replaced.
  public void rename(String from, String to) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.rename(descriptor(), name(from), descriptor(), name(to), path.resolve(to));
    }
  }

  public void link(String name, String target) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.link(LinuxCalls.bytes(target), descriptor(), name(name), path.resolve(name));
    }
  }

  /// The target of a link; empty when the name is not a link.
  public Optional<String> readLink(String name) throws IOException {
    try (FileHandle found = find(name);
        LinuxCalls calls = new LinuxCalls()) {
      return calls.status(found.descriptor, found).isSymbolicLink()
          ? Optional.of(new String(calls.readLink(found.descriptor, found), StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    handle.close();
  }
}
