package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileErrorsTest {
  @TempDir private Path directory;

  @Test
  void aFullDiskWantsSpace() {
    IOException full = new FileSystemException("lock", null, "No space left on device");
    assertThat(
            FileErrors.of(
                new UncheckedIOException("data directory cannot be used", full), directory))
        .isEqualTo(
            new FileErrors(
                "lock: No space left on device", "Free space on the file system of " + directory));
    assertThat(FileErrors.of(new IOException("No space left on device"), directory).whatToDo())
        .isEqualTo("Free space on the file system of " + directory);
  }

  @Test
  void aRefusedFileIsToldWithItsOwner() throws IOException {
    Path file = Files.createFile(directory.resolve("objects.db"));
    String owner = Files.getOwner(file).getName();
    String user = System.getProperty("user.name");
    assertThat(FileErrors.of(new AccessDeniedException(file.toString()), directory))
        .isEqualTo(
            new FileErrors(
                "permission denied: %s belongs to %s, this process runs as %s"
                    .formatted(file, owner, user),
                "Start it as the owner of %s, or give that directory and its files to %s"
                    .formatted(directory, user)));
    // One that was to be made is the directory's refusal.
    assertThat(
            FileErrors.of(new AccessDeniedException(directory.resolve("a/b").toString()), directory)
                .why())
        .startsWith("permission denied: " + directory + " belongs to ");
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(
            FileErrors.of(new FileAlreadyExistsException(file.toString()), file.resolve("x/data")))
        .isEqualTo(new FileErrors(file + " is a file, not a directory", "Move that file away"));
  }

  @Test
  void anythingElseKeepsItsWords() {
    assertThat(FileErrors.of(new FileSystemLoopException("/a"), directory))
        .isEqualTo(
            new FileErrors(
                "file system loop: /a",
                "Check the directory %s and its files".formatted(directory)));
    assertThat(
            FileErrors.of(new FileSystemException("/a", null, "Stale file handle"), directory)
                .why())
        .isEqualTo("/a: Stale file handle");
  }
}
