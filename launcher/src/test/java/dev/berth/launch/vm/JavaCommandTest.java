package dev.berth.launch.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JavaCommandTest {
  @Test
  void wordsAreQuotedAsArgumentFilesNeedIt() {
    String text = new JavaCommand("/lib/a b.jar", Optional.empty()).text(List.of("say", "\"\\"));
    assertThat(text)
        .endsWith("\"-cp\"\n\"/lib/a b.jar\"\n\"dev.berth.cli.Main\"\n\"say\"\n\"\\\"\\\\\"\n");
  }

  @Test
  void aBuildIsLockedByThoseWhoRunIt() {
    JavaCommand command = new JavaCommand("x.jar", Optional.of(Path.of("/build")));
    assertThat(command.stamp()).contains(Path.of("/build/stamp"));
  }
}
