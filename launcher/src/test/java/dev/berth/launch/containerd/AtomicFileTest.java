package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {
  @TempDir private Path directory;

  @Test
  void aFileThatSaysItAlreadyIsLeftAloneAndAnotherIsReplaced() throws IOException {
    Path file = directory.resolve("network");
    Path draft = directory.resolve("draft");
    AtomicFile.write(file, draft, "one");
    Object first = identity(file);

    AtomicFile.write(file, draft, "one");
    assertThat(identity(file)).isEqualTo(first);

    AtomicFile.write(file, draft, "two");
    assertThat(identity(file)).isNotEqualTo(first);
    assertThat(file).hasContent("two");
    assertThat(draft).doesNotExist();
  }

  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }
}
