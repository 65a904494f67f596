package dev.berth.launch.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A process that outlives the process which started it.
///
/// There is no PID file: the process is found by the end of its command line, so that a new start
/// finds what an earlier one left. Nothing here waits without a bound but `awaitServing`.
public final class DetachedProcess {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /// How often the process list is read before the process counts as ended.
  private static final int LOOKS = 10;

  /// The last lines of the log that a message shows.
  private static final int SHOWN_LINES = 5;

  private final List<String> lastWords;
  private final Path log;

  /// Size of the log at the last start, so that only messages of this start are read.
  private volatile long logBefore;

  /// A process that may run or not.
  ///
  /// @param lastWords of the command line, which no other process of this machine has
  /// @param log receives the output of the process
  public DetachedProcess(List<String> lastWords, Path log) {
    this.lastWords = List.copyOf(lastWords);
    this.log = log;
  }

  public Optional<ProcessHandle> find() {
    return ProcessHandle.allProcesses()
        .filter(process -> endsWith(arguments(process), lastWords))
        .findFirst();
  }

  private static List<String> arguments(ProcessHandle process) {
    return List.of(process.info().arguments().orElse(new String[0]));
  }

  private static boolean endsWith(List<String> words, List<String> last) {
    int start = words.size() - last.size();
    return start >= 0 && words.subList(start, words.size()).equals(last);
  }

  /// Starts the process.
  ///
  /// @param command ends with the last words
  /// @param environment variables beside those of this process
  public void start(List<String> command, Map<String, String> environment) throws IOException {
    logBefore = Files.exists(log) ? Files.size(log) : 0;
    // A session of its own: a signal to the terminal must not reach the process.
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(command);
    ProcessBuilder process = new ProcessBuilder(words).redirectErrorStream(true);
    process.environment().putAll(environment);
    process
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /// Waits until the process serves, for as long as it exists: after a crash it may first have to
  /// read much state.
  ///
  /// @return whether it serves
  public boolean awaitServing(BooleanSupplier serves) {
    return awaitServing(serves, Long.MAX_VALUE);
  }

  /// Whether the process serves before the time is over.
  public boolean servesWithin(BooleanSupplier serves, Duration limit) {
    return awaitServing(serves, limit.toNanos());
  }

  private boolean awaitServing(BooleanSupplier serves, long limit) {
    long begun = System.nanoTime();
    while (!Thread.currentThread().isInterrupted() && exists()) {
      if (serves.getAsBoolean()) {
        return true;
      }
      if (System.nanoTime() - begun > limit) {
        return false;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return false;
  }

  /// Looks several times: during execve the command line of a process is empty for a moment, and
  /// the process is not found.
  private boolean exists() {
    for (int look = 1; look < LOOKS; look++) {
      if (find().isPresent()) {
        return true;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return find().isPresent();
  }

  /// Messages of this start, without those of earlier starts.
  public String lastMessages() throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    byte[] all = Files.readAllBytes(log);
    int start = (int) Math.min(logBefore, all.length);
    List<String> lines =
        new String(all, start, all.length - start, StandardCharsets.UTF_8).lines().toList();
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  /// Stops the process (SIGTERM); what it started keeps running.
  public void end() {
    find().ifPresent(process -> end(process, STOP_LIMIT));
  }

  /// Kills the process (SIGKILL); what it started keeps running.
  public void kill() {
    find().ifPresent(process -> end(process, Duration.ZERO));
  }

  /// Ends a process.
  ///
  /// @param patience after which it is killed
  public static void end(ProcessHandle process, Duration patience) {
    if (!patience.isZero()) {
      process.destroy();
    }
    if (!awaitEnd(process, patience)) {
      process.destroyForcibly();
      awaitEnd(process, STOP_LIMIT);
    }
  }

  private static boolean awaitEnd(ProcessHandle process, Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }
}
