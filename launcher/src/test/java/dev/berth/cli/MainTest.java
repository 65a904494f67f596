package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class MainTest {
  @TempDir private Path directory;
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
        "certs",
        "scheduler",
        "explain",
        "classes",
        "nodes",
        "runtimes",
        "images",
        "backup",
        "sim",
        "vm-runtime",
        "rehearse",
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
            berth up: 3 invalid arguments
              --bind-adress ::1: unknown argument; did you mean --bind-address?
              --secure-port=99999: must be a number from 0 to 65535 (0 takes any free port)
              --store=x: must be sqlite or etcd
            Run `berth up --help` for usage.
            """);
  }

  @Test
  void mistakesOfTheControlPlaneDoNotHideThoseOfTheNode() {
    String both = "--registry-hosts=/none";
    assertThat(run("up", "--store=x", "--max-pods=y", "--agent-port=z", both)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            berth up: 4 invalid arguments
              --store=x: must be sqlite or etcd
              --registry-hosts=/none: must be a directory that this user can read
              --agent-port=z: must be a number from 0 to 65535 (0 takes any free port)
              --max-pods=y: must be a number
            Run `berth up --help` for usage.
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "'', what to explain is missing",
    "pod, pod",
    "node web, node web",
    "pod/, pod/",
    "pod a b, pod a b"
  })
  void whatCannotBeExplainedIsOneMistake(String words, String told) throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), "");
    List<String> args = new ArrayList<>(List.of("explain", "--kubeconfig=" + kubeconfig));
    Stream.of(words.split(" ")).filter(word -> !word.isEmpty()).forEach(args::add);

    assertThat(run(args.toArray(String[]::new))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "berth explain: 1 invalid argument\n  %s: must be `pod NAME`\n".formatted(told));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"classes", "classes nodes x", "explain pod/x", "token", "scheduler", "agent"})
  void aBrokenKubeconfigIsToldInOneLine(String command) throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), "password: secret");
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.add("--kubeconfig=" + kubeconfig);
    if (command.equals("agent")) {
      args.add("--data-dir=" + directory);
    }

    assertThat(run(args.toArray(String[]::new))).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("berth: kubeconfig " + kubeconfig + " cannot be used: ")
        .hasLineCount(1)
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "runtimes", "images"})
  void theListOfCommandsHasWholeSentences(String command) {
    assertThat(run(command.isEmpty() ? new String[0] : new String[] {command})).isZero();
    String list = out.toString().replaceAll("(?s).*Commands:\n|\n\nExamples.*", "");
    assertThat(list.replaceAll("\n {6,}", " ").lines())
        .allSatisfy(line -> assertThat(line).endsWith("."));
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
        "certs",
        "scheduler",
        "explain",
        "classes",
        "runtimes add",
        "runtimes drain",
        "runtimes remove",
        "images load",
        "backup",
        "backup restore",
        "backup show",
        "sim",
        "vm-runtime",
        "version",
        "completion"
      })
  void theTextOfEveryOptionStandsAlone(String command) {
    List<String> words = List.of(command.split(" ", -1));
    CommandLine found = Main.commands(words.toArray(String[]::new));
    for (String word : words) {
      found = Objects.requireNonNull(found.getSubcommands().get(word));
    }

    assertThat(found.getCommandSpec().options())
        .allSatisfy(
            option ->
                assertThat(String.join(" ", option.description()))
                    .matches("(?s)[A-Z].*\\S \\S.*\\.")
                    .doesNotContainPattern("\\b(pretend|told)\\b"));
  }

  @Test
  void helpListsOptionsInSections() {
    assertThat(run("up", "--help")).isZero();
    assertThat(out.toString())
        .contains("\nCgroup options:\n", "\nServing options:\n", "\nGeneral options:\n")
        .contains("Root cgroup under which pod cgroups are created.");
  }

  @Test
  void aFlagThatIsGivenTwiceIsTheOnlyMistake() {
    assertThat(run("server", "--secure-port=0", "--secure-port=1")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            berth server: 1 invalid argument
              option '--secure-port' (PORT) should be specified only once
            Run `berth server --help` for usage.
            """);
  }

  @Test
  void anUnknownCommandIsAnsweredWithTheKnownOnes() {
    assertThat(run("qqq")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "qqq: unknown command; the commands are up, down, demo, server, agent, token, certs, scheduler, explain, classes, nodes, runtimes")
        .doesNotContain("train-cache");
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
