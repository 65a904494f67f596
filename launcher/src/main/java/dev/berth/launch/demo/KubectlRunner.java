package dev.berth.launch.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prints kubectl commands and runs them, so that a user can repeat each step of the tour.
final class KubectlRunner {
  private final Path program;
  private final Path kubeconfig;
  private final PrintWriter out;

  private KubectlRunner(Path program, Path kubeconfig, PrintWriter out) {
    this.program = program;
    this.kubeconfig = kubeconfig;
    this.out = out;
  }

  /// Finds kubectl in the PATH; empty if it is not installed.
  static Optional<KubectlRunner> find(Path kubeconfig, PrintWriter out) {
    String path = System.getenv("PATH");
    return Stream.of((path == null ? "" : path).split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new KubectlRunner(program, kubeconfig, out));
  }

  boolean run(String... words) throws InterruptedException {
    return run(List.of(words), null);
  }

  /// Runs a command in the tour's namespace.
  boolean in(String... words) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of("-n", DemoPod.NAMESPACE));
    all.addAll(List.of(words));
    return run(all, null);
  }

  /// Runs a command inside a pod of the tour.
  boolean exec(DemoPod pod) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of("-n", DemoPod.NAMESPACE, "exec", pod.name(), "--"));
    all.addAll(pod.inside());
    return run(all, null);
  }

  /// What a command prints, without showing it; empty if it fails.
  String output(String... words) throws InterruptedException {
    StringBuilder text = new StringBuilder();
    return start(List.of(words), null, line -> text.append(line).append('\n'))
        ? text.toString()
        : "";
  }

  boolean create(ObjectNode document) throws InterruptedException {
    return run(List.of("create", "-f", "-"), document.toString());
  }

  private boolean run(List<String> words, @Nullable String input) throws InterruptedException {
    out.println(shown(words, input));
    out.flush();
    return start(
        words,
        input,
        line -> {
          out.println("  " + line);
          out.flush();
        });
  }

  private boolean start(List<String> words, @Nullable String input, Consumer<String> lines)
      throws InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "--kubeconfig", kubeconfig.toString()));
    command.addAll(words);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
        stdin.write(input == null ? "" : input);
      }
      try (var output = process.inputReader(StandardCharsets.UTF_8)) {
        output.lines().forEach(lines);
      }
      return process.waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The command as a user would type it, with the document on its standard input.
  private static String shown(List<String> words, @Nullable String input) {
    String command = "$ kubectl " + String.join(" ", words);
    return input == null ? command : command + " <<< '" + input + "'";
  }
}
