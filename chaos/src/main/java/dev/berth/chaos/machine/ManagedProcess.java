package dev.berth.chaos.machine;

import dev.berth.bench.machine.ProcessUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A process under attack, which can be killed, stopped, continued and restarted.
///
/// Only the thread that injects faults calls methods that change it.
public final class ManagedProcess implements AutoCloseable {
  /// How long the kernel may take to end a killed process: one that waits for a disk ends late.
  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path log;
  private volatile @Nullable Process process;

  /// Describes a process for `start`.
  ///
  /// @param log the log file, which each start appends to
  public ManagedProcess(
      String name, List<String> command, Map<String, String> environment, Path log) {
    this.name = name;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.log = log;
  }

  public String name() {
    return name;
  }

  public void start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    process = builder.start();
  }

  public boolean isAlive() {
    Process now = process;
    return now != null && now.isAlive();
  }

  public long pid() {
    Process now = process;
    return now == null ? -1 : now.pid();
  }

  /// Kills the process with SIGKILL, without a chance to clean up.
  public void kill() {
    Process now = process;
    if (now != null) {
      now.destroyForcibly();
      awaitEnd(now);
    }
  }

  /// Stops the process with SIGSTOP. It keeps its connections and does nothing until `resume`.
  public void stop() throws IOException {
    signal("STOP");
  }

  public void resume() throws IOException {
    signal("CONT");
  }

  private void signal(String signal) throws IOException {
    if (isAlive()) {
      ShellCommand.run("kill", "-" + signal, Long.toString(pid()));
    }
  }

  /// The number of open files; -1 when the process does not run.
  public long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
      return files.count();
    } catch (IOException | UncheckedIOException _) {
      return -1;
    }
  }

  /// The resident memory; -1 when the process does not run.
  public long residentMebibytes() {
    try {
      return ProcessUse.of(pid()).residentMiB();
    } catch (IOException _) {
      return -1;
    }
  }

  /// The end of the process's log.
  public String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  private static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(END_LIMIT)) {
        throw new IllegalStateException("process " + process.pid() + " did not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
