package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/// The real kubectl binary against one server.
final class Kubectl {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path kubeconfig;
  private final Path cache;
  private final String program;

  Kubectl(Path kubeconfig, Path cache) {
    this(kubeconfig, cache, "kubectl");
  }

  private Kubectl(Path kubeconfig, Path cache, String program) {
    this.kubeconfig = kubeconfig;
    this.cache = cache;
    this.program = program;
  }

  /// Another kubectl against the same server.
  Kubectl with(String another) {
    return new Kubectl(kubeconfig, cache, another);
  }

  static boolean isInstalled() {
    try {
      return new ProcessBuilder("kubectl", "version", "--client")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// @param text standard output and standard error together
  record Outcome(int code, String text) {}

  /// Runs a command that must succeed and returns what it printed.
  String run(String... arguments) {
    Outcome outcome = attempt("", Map.of(), arguments);
    assertThat(outcome.code()).as("kubectl %s: %s", List.of(arguments), outcome.text()).isZero();
    return outcome.text();
  }

  /// The same with a document on standard input.
  String apply(String document, String... arguments) {
    Outcome outcome = attempt(document, Map.of(), arguments);
    assertThat(outcome.code()).as("kubectl %s: %s", List.of(arguments), outcome.text()).isZero();
    return outcome.text();
  }

  /// Runs a command that must fail and returns what it said.
  String refused(String document, String... arguments) {
    Outcome outcome = attempt(document, Map.of(), arguments);
    assertThat(outcome.code()).as("kubectl %s: %s", List.of(arguments), outcome.text()).isNotZero();
    return outcome.text();
  }

  Outcome attempt(String input, Map<String, String> environment, String... arguments) {
    try {
      Process process = start(environment, arguments);
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      CompletableFuture<byte[]> output =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return process.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              // Not the common pool: HTTP clients in this process need it, and it may have one
              // thread only.
              reading -> Thread.ofPlatform().start(reading));
      if (!process.waitFor(LIMIT)) {
        process.destroyForcibly();
        throw new AssertionError("kubectl " + List.of(arguments) + " did not end");
      }
      return new Outcome(process.exitValue(), new String(output.join(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /// A command that goes on, such as `get -w`.
  Process start(Map<String, String> environment, String... arguments) throws IOException {
    return start(environment, command(arguments));
  }

  /// The same in a terminal of its own, whose input is what is written to the process.
  Process startInTerminal(Map<String, String> environment, String... arguments) throws IOException {
    String quoted =
        command(arguments).stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    return start(environment, List.of("script", "-qec", quoted, "/dev/null"));
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(program, "--kubeconfig", kubeconfig.toString()));
    command.add("--cache-dir=" + cache);
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private static Process start(Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.start();
  }
}
