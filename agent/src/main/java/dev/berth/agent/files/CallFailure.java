package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Maps errno values to the exceptions that the JDK throws for them.
final class CallFailure {
  /// A directory was found instead of a file.
  static final class DirectoryFoundException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    DirectoryFoundException(String name) {
      super(name, null, "Is a directory");
    }
  }

  private CallFailure() {}

  static IOException of(int error, Object subject, String text) {
    String name = subject.toString();
    return switch (error) {
      case 2 -> new NoSuchFileException(name);
      case 13 -> new AccessDeniedException(name);
      case 17 -> new FileAlreadyExistsException(name);
      case 20 -> new NotDirectoryException(name);
      case 21 -> new DirectoryFoundException(name);
      case 39 -> new DirectoryNotEmptyException(name);
      case 40 -> new FileSystemLoopException(name + " is a symbolic link");
      default -> new FileSystemException(name, null, text);
    };
  }

  static IOException tooLong(String name) {
    return new FileSystemException(name, null, "File name too long");
  }
}
