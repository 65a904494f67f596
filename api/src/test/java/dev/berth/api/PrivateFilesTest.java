package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivateFilesTest {
  @TempDir private Path directory;

  /// Replaces a file.
  private interface Replacement {
    void apply(Path file, String content) throws IOException;
  }

  @Test
  void aReplacedFileIsPrivateAndTheOnlyOne() throws IOException {
    for (Replacement replace :
        new Replacement[] {PrivateFiles::replace, PrivateFiles::replaceWithoutSync}) {
      Path file = directory.resolve("record.json");
      Files.writeString(file, "before");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
      Object identity = Files.getAttribute(file, "unix:ino");

      replace.apply(file, "after");

      assertThat(PrivateFiles.holds(file, "after")).isTrue();
      assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(identity);
      assertThat(directory).isDirectoryContaining("glob:**/record.json");
      assertThat(directory.toFile().list()).hasSize(1);
    }
  }

  @Test
  void aFailedReplacementLeavesNothing() throws IOException {
    Path blocked = directory.resolve("a");
    Files.createDirectories(blocked.resolve("b"));

    assertThatThrownBy(() -> PrivateFiles.replaceWithoutSync(blocked, "x"))
        .isInstanceOf(IOException.class);

    assertThat(directory.toFile().list()).containsExactly("a");
  }
}
