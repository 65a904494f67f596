package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void withoutACommandTheHelpIsPrinted() {
    assertThat(run()).isZero();
    assertThat(out.toString())
        .startsWith("Usage: berth")
        .contains("Commands:", "  up ", "Examples:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        "down",
        "demo",
        "server",
        "agent",
        "token",
        "scheduler",
        "explain",
        "classes",
        "runtimes",
        "images",
        "backup",
        "sim",
        "version",
        "completion"
      })
  void everyCommandHasHelpWithAnExample(String command) {
    assertThat(run(command, "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: berth " + command).containsPattern("Examples?:");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void everyMistakeIsToldAtOnceWithWhatIsAccepted() {
    int code = run("up", "--secure-port", "99999", "--store=x", "--bind-adress", "::1");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            berth up: 3 mistakes
              --bind-adress ::1: not understood; did you mean --bind-address?
              --secure-port=99999: must be a number from 0 to 65535 (0 takes any free port)
              --store=x: must be sqlite or etcd
            Run `berth up --help` for what it accepts.
            """);
  }

  @Test
  void aFlagThatIsGivenTwiceIsTheOnlyMistake() {
    assertThat(run("server", "--secure-port=0", "--secure-port=1")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            berth server: a mistake
              option '--secure-port' (PORT) should be specified only once
            Run `berth server --help` for what it accepts.
            """);
  }

  @Test
  void anUnknownCommandIsAnsweredWithTheKnownOnes() {
    assertThat(run("qqq")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "qqq: not understood; the commands are up, down, demo, server, agent, token, scheduler, explain, classes, runtimes");
  }

  @Test
  void aFlagWithoutItsValueIsAMistake() {
    assertThat(run("up", "--secure-port")).isEqualTo(2);
    assertThat(err.toString())
        .contains("Missing required parameter for option '--secure-port' (PORT)");
  }

  @Test
  void versionNamesBerthAndJava() {
    assertThat(run("version")).isZero();
    assertThat(out.toString()).matches("berth \\d+\\.\\d+\\.\\d+\\S*, Java 2\\d\\S*\\n");
  }

  @Test
  void completionKnowsCommandsAndFlags() {
    assertThat(run("completion", "zsh")).isZero();
    assertThat(out.toString()).contains("--secure-port", "version", "complete -F");
  }

  @Test
  void completionForAnUnknownShellIsRefused() {
    assertThat(run("completion", "fish")).isEqualTo(2);
    assertThat(err.toString()).contains("SHELL=fish: must be bash or zsh");
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
