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
  @TempDir private Path folder;

  @Test
  void aFullDiskWantsSpace() {
    IOException full = new FileSystemException("lock", null, "No space left on device");
    assertThat(FileErrors.of(new UncheckedIOException("data folder cannot be used", full), folder))
        .isEqualTo(
            new FileErrors(
                "lock: No space left on device", "Free space on the file system of " + folder));
    assertThat(FileErrors.of(new IOException("No space left on device"), folder).whatToDo())
        .isEqualTo("Free space on the file system of " + folder);
  }

  @Test
  void aRefusedFileIsToldWithItsOwner() throws IOException {
    Path file = Files.createFile(folder.resolve("objects.db"));
    String owner = Files.getOwner(file).getName();
    String user = System.getProperty("user.name");
    assertThat(FileErrors.of(new AccessDeniedException(file.toString()), folder))
        .isEqualTo(
            new FileErrors(
                "permission denied: %s belongs to %s, this process runs as %s"
                    .formatted(file, owner, user),
                "Start it as the owner of %s, or give that folder and its files to %s"
                    .formatted(folder, user)));
    // One that was to be made is the folder's refusal.
    assertThat(
            FileErrors.of(new AccessDeniedException(folder.resolve("a/b").toString()), folder)
                .why())
        .startsWith("permission denied: " + folder + " belongs to ");
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(
            FileErrors.of(new FileAlreadyExistsException(file.toString()), file.resolve("x/data")))
        .isEqualTo(new FileErrors(file + " is a file, not a folder", "Move that file away"));
  }

  @Test
  void anythingElseKeepsItsWords() {
    assertThat(FileErrors.of(new FileSystemLoopException("/a"), folder))
        .isEqualTo(
            new FileErrors(
                "file system loop: /a", "Check the folder %s and its files".formatted(folder)));
    assertThat(
            FileErrors.of(new FileSystemException("/a", null, "Stale file handle"), folder).why())
        .isEqualTo("/a: Stale file handle");
  }
}
