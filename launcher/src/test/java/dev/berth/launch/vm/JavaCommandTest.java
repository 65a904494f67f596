package dev.berth.launch.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaCommandTest {
  @TempDir Path build;

  @Test
  void wordsAreQuotedAsArgumentFilesNeedIt() {
    String text = new JavaCommand("/lib/a b.jar", Optional.empty()).text(List.of("say", "\"\\"));
    assertThat(text)
        .endsWith("\"-cp\"\n\"/lib/a b.jar\"\n\"dev.berth.cli.Main\"\n\"say\"\n\"\\\"\\\\\"\n")
        .doesNotContain("AOTCache");
  }

  @Test
  void theCacheOfTheBuildMakesTheStartFast() throws IOException {
    Files.createFile(build.resolve("node.aot"));
    JavaCommand command = new JavaCommand("x.jar", Optional.of(build));
    assertThat(command.text(List.of())).contains("-XX:AOTCache=" + build.resolve("node.aot"));
    assertThat(command.stamp()).contains(build.resolve("stamp"));
  }
}
