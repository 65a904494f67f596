package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessCommandTest {
  @TempDir private Path process;

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          etcd --name a, etcd --name a
          /jdk/bin/java -XX:+UseSerialGC --enable-native-access=ALL -cp a.jar:b.jar dev.berth.cli.Main server --data-dir /d, berth server --data-dir /d
          /jdk/bin/java --add-opens a/b=c -Xmx1g @options org.example.Main -x, java org.example.Main -x
          java -jar app.jar --port 1, java app.jar --port 1
          java --version, java --version
          """)
  void onlyWhatTellsAProcessFromOthersIsShown(String command, String shown) throws IOException {
    assertThat(wordsOf(command)).isEqualTo(shown);
  }

  @Test
  void longCommandsAreShortened() throws IOException {
    assertThat(wordsOf("x".repeat(500))).isEqualTo("x".repeat(120) + "...");
  }

  @Test
  void thisProcessIsDescribedWithItsId() {
    long pid = ProcessHandle.current().pid();
    assertThat(ProcessCommand.describe(pid)).startsWith(pid + " (java ").doesNotContain(" -cp ");
  }

  private String wordsOf(String command) throws IOException {
    Files.writeString(process.resolve("cmdline"), command.replace(' ', '\0') + "\0");
    return ProcessCommand.of(process);
  }
}
