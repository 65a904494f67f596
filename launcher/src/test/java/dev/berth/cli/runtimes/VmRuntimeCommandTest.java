package dev.berth.cli.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class VmRuntimeCommandTest {
  private static VmRuntimeCommand parse(String... args) {
    VmRuntimeCommand command = new VmRuntimeCommand();
    new CommandLine(command).parseArgs(args);
    return command;
  }

  @Test
  void theDefaultsAreFine() {
    assertThat(parse().mistakes()).isEmpty();
  }

  @Test
  void allMistakesAreReportedAtOnce() {
    assertThat(parse("--endpoint=tcp://127.0.0.1:1", "--memory=64Mi", "--processors=0").mistakes())
        .containsExactlyInAnyOrder(
            "--endpoint=tcp://127.0.0.1:1: must be unix:///PATH",
            "--memory=64Mi: must be a quantity of at least 128Mi, such as 256Mi",
            "--processors=0: must be a number from 1 to 64");
  }
}
