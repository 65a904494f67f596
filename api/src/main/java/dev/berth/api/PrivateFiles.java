package dev.berth.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Creates directories and files that only their owner can read, and replaces files atomically.
///
/// Permissions are part of the creation: a file that is created first and restricted afterwards can
/// be opened by others in between. On a file system without POSIX permissions the files get its
/// defaults.
public final class PrivateFiles {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /// Creates the directory when missing; an existing directory keeps its permissions.
  public static void createDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(directory, attributes(directory, DIRECTORY));
      syncDirectory(directory.toAbsolutePath().getParent());
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /// Creates the directory when missing and makes it private in any case: somebody else may have
  /// created the data directory around it readable for everybody.
  public static void createPrivateDirectory(Path directory) throws IOException {
    createDirectory(directory);
    makePrivate(directory, DIRECTORY);
  }

  /// Creates the file when missing and makes it private in any case.
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException _) {
      makePrivate(file, FILE);
    }
  }

  /// Replaces the file atomically by a private one; after this returns the new content survives a
  /// power cut.
  public static void replace(Path file, String content) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path temporary = temporary(absolute);
    try {
      createFile(temporary);
      writeDurably(temporary, content);
      Files.move(
          temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Path directory = absolute.getParent();
    // The rename itself lives in the directory, and is durable only after this.
    if (directory != null) {
      forceDirectory(directory);
    }
  }

  /// Replaces the file atomically by a private one, for content that may be lost in a power cut.
  public static void replaceWithoutSync(Path file, String content) throws IOException {
    Path temporary = temporary(file);
    try {
      createFile(temporary);
      Files.writeString(temporary, content);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /// In the same directory; writers that run at the same time have a file each.
  private static Path temporary(Path file) {
    String unique = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return file.resolveSibling("." + file.getFileName() + "." + unique + ".tmp");
  }

  private static void writeDurably(Path file, String content) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /// Whether the file has the content, and only its owner can read it.
  public static boolean holds(Path file, String content) throws IOException {
    return Files.exists(file)
        && Files.getPosixFilePermissions(file).equals(FILE)
        && Files.readString(file).equals(content);
  }

  private static void makePrivate(Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view != null && !view.readAttributes().permissions().equals(permissions)) {
      view.setPermissions(permissions);
    }
  }

  /// A new file survives a power cut only after its directory is synced; not every system supports
  /// that.
  public static void syncDirectory(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try {
      forceDirectory(directory);
    } catch (IOException _) {
      // The entry is as durable as this file system makes it.
    }
  }

  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }
}
