package dev.berth.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Explains a failed file access to the administrator: the message of many file exceptions is only
/// a path.
///
/// @param whatToDo what to do about it, as a full sentence without its full stop
public record FileErrors(String why, String whatToDo) {
  /// Free bytes above which a failure is not attributed to a full disk.
  private static final long LITTLE = 128 << 10;

  /// Explains the first file exception among a failure and its causes.
  ///
  /// @param directory where the file was to be used
  public static FileErrors of(Exception failure, Path directory) {
    IOException cause = fileException(failure);
    String text = String.valueOf((cause == null ? failure : cause).getMessage());
    Path file = firstThatIsNoDirectory(directory);
    if (file != null) {
      return new FileErrors(file + " is a file, not a directory", "Move that file away");
    }
    if (text.contains("No space left on device") || text.contains("quota exceeded")) {
      return new FileErrors(text, freeSpace(directory));
    }
    if (text.contains("Read-only file system")) {
      return new FileErrors(text, "Make the file system of %s writable".formatted(directory));
    }
    if (cause instanceof AccessDeniedException denied) {
      return denied(Path.of(denied.getFile()), directory);
    }
    return new FileErrors(
        reason(cause, text), "Check the directory %s and its files".formatted(directory));
  }

  public static String freeSpace(Path directory) {
    return "Free space on the file system of " + directory;
  }

  /// The remedy when the disk is nearly full; null when it is not.
  public static @Nullable String ifFull(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace() < LITTLE ? freeSpace(directory) : null;
    } catch (IOException _) {
      return null;
    }
  }

  private static @Nullable IOException fileException(Exception failure) {
    IOException found = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileSystemException file) {
        return file;
      }
      if (cause instanceof IOException other) {
        found = other;
      }
    }
    return found;
  }

  private static @Nullable Path firstThatIsNoDirectory(Path directory) {
    Path at = directory.toAbsolutePath();
    while (at != null && !Files.exists(at)) {
      at = at.getParent();
    }
    return at == null || Files.isDirectory(at) ? null : at;
  }

  private static FileErrors denied(Path file, Path directory) {
    Path seen = file;
    while (seen.getParent() != null && !Files.exists(seen)) {
      seen = seen.getParent();
    }
    String user = System.getProperty("user.name", "?");
    return new FileErrors(
        "permission denied: %s belongs to %s, this process runs as %s"
            .formatted(seen, owner(seen), user),
        "Start it as the owner of %s, or give that directory and its files to %s"
            .formatted(directory, user));
  }

  private static String owner(Path file) {
    try {
      return Files.getOwner(file).getName();
    } catch (IOException | UnsupportedOperationException _) {
      return "another user";
    }
  }

  /// The exception's class names the failure where the message is only the path.
  private static String reason(@Nullable IOException cause, String text) {
    if (!(cause instanceof FileSystemException file) || file.getReason() != null) {
      return text;
    }
    String words = file.getClass().getSimpleName().replace("Exception", "");
    return words.replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT) + ": " + text;
  }
}
