package dev.berth.server.pki;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Reads and writes files that only their owner may read; replaces them atomically.
final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private PrivateFiles() {}

  /// Creates the directory, or restricts an existing one to its owner.
  static void makeDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, OWNER_DIRECTORY);
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot use the directory " + directory,
              reason(e),
              "Make it writable for this user, or choose another one with --data-dir"),
          e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot read " + file, reason(e), "Make it readable for this user, and restart"),
          e);
    }
  }

  /// Whether the file has the content and is private to its owner.
  static boolean holds(Path file, String content) {
    try {
      return Files.exists(file)
          && Files.getPosixFilePermissions(file).equals(OWNER_FILE.value())
          && Files.readString(file).equals(content);
    } catch (IOException _) {
      return false; // the file is then written, which reports its errors
    }
  }

  /// Replaces the file atomically; afterwards the content survives a power loss.
  static void write(Path file, String content) {
    Path absolute = file.toAbsolutePath();
    Path temporary =
        absolute.resolveSibling(
            "." + absolute.getFileName() + "." + Long.toHexString(unique()) + ".tmp");
    try {
      try {
        writeDurably(temporary, content);
        Files.move(
            temporary,
            absolute,
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
      syncDirectory(absolute);
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot write " + file,
              reason(e),
              "Free disk space or make the directory writable for this user, and restart"),
          e);
    }
  }

  // Makes names of temporary files unique; guards nothing.
  private static long unique() {
    return ThreadLocalRandom.current().nextLong();
  }

  private static void writeDurably(Path file, String content) throws IOException {
    var options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options, OWNER_FILE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static void syncDirectory(Path file) throws IOException {
    Path directory = file.getParent();
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /// Many file system exceptions contain only the path, so the class is added.
  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
