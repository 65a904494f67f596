package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.programs.ContainerdException;
import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// A containerd process that outlives the process which started it.
///
/// There is no PID file: the process is found by its command line, so that a new `berth up` finds
/// what an earlier one started. [ProcessSupervisor] calls the methods on one thread,
/// [ContainerdTeardown] on another process's; nothing here waits without a bound but
/// `awaitServing`.
final class ContainerdDaemon {
  /// A containerd that answers does so within a fraction of a second.
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

  /// Calls that handle images take long on slow disks.
  private static final Duration CALL_LIMIT = Duration.ofMinutes(2);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /// The last lines of the log that a message shows.
  private static final int TOLD_LINES = 5;

  /// How often the process list is read before the process counts as ended.
  private static final int LOOKS = 10;

  /// A script that removes the mount in its own mount namespace only, and then becomes the program.
  /// `rprivate` comes first: in a shared mount the removal would reach the whole machine.
  private static final String HIDE =
      "mount --make-rprivate \"$(dirname \"$0\")\" && umount \"$0\" && exec \"$@\"";

  private final ServicePlan plan;
  private final ContainerdDirectory directory;
  private final RuntimePrograms programs;

  /// Size of the log at the last start, so that only messages of this start are read.
  private volatile long logBefore;

  ContainerdDaemon(ServicePlan plan, ContainerdDirectory directory, RuntimePrograms programs) {
    this.plan = plan;
    this.directory = directory;
    this.programs = programs;
  }

  ServicePlan plan() {
    return plan;
  }

  ContainerdDirectory directory() {
    return directory;
  }

  /// Finds the process by the configuration file in its command line. The program name is compared
  /// too, so that an editor with the file is not mistaken for containerd.
  Optional<ProcessHandle> process() {
    return ProcessHandle.allProcesses()
        .filter(process -> endsWith(arguments(process), configArguments()))
        .findFirst();
  }

  private static boolean endsWith(List<String> words, List<String> last) {
    int start = words.size() - last.size();
    return start >= 0 && words.subList(start, words.size()).equals(last);
  }

  private List<String> configArguments() {
    return List.of("--config", directory.config().toString());
  }

  /// Starts containerd unless it runs. A process with another configuration is replaced; its
  /// containers keep running meanwhile.
  ///
  /// @param environment variables of the process
  void launch(String config, Map<String, String> environment) throws IOException {
    boolean same =
        Files.exists(directory.config()) && Files.readString(directory.config()).equals(config);
    if (same && process().isPresent()) {
      return;
    }
    end();
    Files.createDirectories(directory.path());
    Files.writeString(directory.config(), config);
    logBefore = Files.exists(directory.log()) ? Files.size(directory.log()) : 0;
    ProcessBuilder process = ProgramRunner.prepare(command());
    process.environment().putAll(environment);
    process
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
        .start();
  }

  private List<String> command() {
    // A session of its own: a signal to the terminal of `berth up` must not reach containerd.
    List<String> command = new ArrayList<>(List.of(programs.file("setsid").toString()));
    if (!plan.hiddenMount().isEmpty()) {
      // With unchanged propagation volumes that the agent mounts later are visible to containerd
      // too.
      command.addAll(List.of("unshare", "--mount", "--propagation", "unchanged"));
      command.addAll(List.of("sh", "-c", HIDE, plan.hiddenMount()));
    }
    command.add(programs.file("containerd").toString());
    command.addAll(configArguments());
    return command;
  }

  /// Waits until containerd serves, for as long as its process exists: after a crash it may first
  /// have to read the state of many containers.
  void awaitServing() throws IOException {
    while (!Thread.currentThread().isInterrupted() && isThere()) {
      if (serves()) {
        return;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    throw new ContainerdException(
        new Problem(
            "containerd did not start",
            lastWords(),
            "Check the log %s, or use another runtime with --container-runtime-endpoint"
                .formatted(directory.log())));
  }

  /// Whether containerd serves before the time is over.
  boolean servesWithin(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (!Thread.currentThread().isInterrupted() && isThere()) {
      if (serves()) {
        return true;
      }
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return false;
  }

  /// Looks several times: during execve the command line of a process is empty for a moment, and
  /// the process is not found.
  private boolean isThere() {
    for (int look = 1; look < LOOKS; look++) {
      if (process().isPresent()) {
        return true;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return process().isPresent();
  }

  private boolean serves() {
    return Files.exists(directory.socket()) && answers();
  }

  private boolean answers() {
    return ProgramRunner.succeeds(
        List.of(
            programs.file("ctr").toString(), "-a", directory.socket().toString(), "plugins", "ls"),
        ANSWER_LIMIT);
  }

  /// Messages of this start, without those of earlier starts.
  private String lastWords() throws IOException {
    if (!Files.exists(directory.log())) {
      return "";
    }
    byte[] log = Files.readAllBytes(directory.log());
    int start = (int) Math.min(logBefore, log.length);
    List<String> lines =
        new String(log, start, log.length - start, StandardCharsets.UTF_8).lines().toList();
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size()));
  }

  /// Runs containerd's client `ctr` and returns its output.
  String ctr(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.file("ctr").toString(),
                "-a",
                directory.socket().toString(),
                "-n",
                "k8s.io"));
    command.addAll(List.of(arguments));
    return ProgramRunner.run(command, CALL_LIMIT);
  }

  /// Stops the process (SIGTERM); its containers keep running.
  void end() {
    process().ifPresent(process -> end(process, STOP_LIMIT));
  }

  /// Kills the process (SIGKILL); its containers keep running.
  void kill() {
    process().ifPresent(process -> end(process, Duration.ZERO));
  }

  /// Kills the shims and all processes in their containers.
  void endShims() {
    for (ContainerdShim shim : ContainerdShim.of(directory.socket().toString())) {
      // Descendants first: without the shim they belong to PID 1 and cannot be found any more.
      shim.process().descendants().forEach(ProcessHandle::destroyForcibly);
      end(shim.process(), Duration.ZERO);
    }
  }

  /// Kills shims of sandboxes that an earlier containerd was starting when it was killed.
  void endLostShims() throws IOException {
    Optional<Instant> since = process().flatMap(process -> process.info().startInstant());
    if (since.isPresent()) {
      Set<String> known = ctr("tasks", "ls", "-q").lines().collect(Collectors.toSet());
      ContainerdShim.of(directory.socket().toString()).stream()
          .filter(shim -> shim.isLost(known, since.get()))
          .forEach(shim -> end(shim.process(), Duration.ZERO));
    }
  }

  private static void end(ProcessHandle process, Duration patience) {
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

  private static List<String> arguments(ProcessHandle process) {
    return List.of(process.info().arguments().orElse(new String[0]));
  }
}
