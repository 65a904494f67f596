package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogFolderTest {
  @TempDir private Path place;
  private LogFolder logs;

  @BeforeEach
  void aFolderWithLinks() throws IOException {
    Path root = place.resolve("log");
    Files.createDirectories(root.resolve("pods"));
    Files.writeString(root.resolve("pods/a.log"), "words");
    Files.writeString(place.resolve("secret"), "no");
    Files.createSymbolicLink(root.resolve("inside"), Path.of("pods/a.log"));
    Files.createSymbolicLink(root.resolve("outside"), place.resolve("secret"));
    logs = new LogFolder(root);
  }

  @Test
  void filesBelowTheFolderAreFoundAlsoByLinks() throws IOException {
    assertThat(logs.find("/pods/a.log")).hasContent("words");
    assertThat(logs.find("/inside")).hasContent("words");
    assertThat(LogFolder.list(logs.find("/")))
        .contains("<a href=\"pods/\">pods/</a>", "<a href=\"inside\">inside</a>");
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
