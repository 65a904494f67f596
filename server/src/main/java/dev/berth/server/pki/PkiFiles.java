package dev.berth.server.pki;

import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files of the cluster's keys and certificates, with what to do when one cannot be used.
///
/// Files and directories are private to their owner. Every failure becomes a `PkiException` that
/// says which file, why, and what to do.
final class PkiFiles {
  private PkiFiles() {}

  /// Creates the directory, or restricts an existing one to its owner.
  static void makeDirectory(Path directory) {
    try {
      PrivateFiles.createPrivateDirectory(directory);
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
      return PrivateFiles.holds(file, content);
    } catch (IOException _) {
      return false; // then it is written again, and the problem with it is reported
    }
  }

  /// Replaces the file atomically; after this returns the new content survives a power loss.
  static void write(Path file, String content) {
    try {
      PrivateFiles.replace(file, content);
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot write " + file,
              reason(e),
              "Free disk space or make the directory writable for this user, and restart"),
          e);
    }
  }

  /// File system exceptions often carry nothing but the path; the class then says what happened.
  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
