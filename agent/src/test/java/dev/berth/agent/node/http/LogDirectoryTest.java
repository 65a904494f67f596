package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogDirectoryTest {
  @TempDir private Path place;
  private LogDirectory logs;

  @BeforeEach
  void aDirectoryWithLinks() throws IOException {
    Path root = place.resolve("log");
    Files.createDirectories(root.resolve("pods"));
    Files.writeString(root.resolve("pods/a.log"), "words");
    Files.writeString(place.resolve("secret"), "no");
    Files.createSymbolicLink(root.resolve("inside"), Path.of("pods/a.log"));
    Files.createSymbolicLink(root.resolve("outside"), place.resolve("secret"));
    logs = new LogDirectory(root);
  }

  @Test
  void filesBelowTheDirectoryAreFoundAlsoByLinks() throws IOException {
    assertThat(content("/pods/a.log")).isEqualTo("words");
    assertThat(content("/inside")).isEqualTo("words");
    try (FileHandle root = logs.find("/")) {
      assertThat(LogDirectory.list(root.descriptorPath()))
          .contains("<a href=\"pods/\">pods/</a>", "<a href=\"inside\">inside</a>");
    }
  }

  private String content(String path) throws IOException {
    try (FileHandle file = logs.find(path)) {
      return new String(file.tail(100), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/outside", "/../secret", "/none", "/pods/a.log/x", "/pods/../../secret", "/a\0b"})
  void nothingOutsideIsThere(String path) {
    assertThatThrownBy(() -> logs.find(path))
        .isInstanceOf(HttpFailure.class)
        .hasMessage("404 page not found");
  }
}
