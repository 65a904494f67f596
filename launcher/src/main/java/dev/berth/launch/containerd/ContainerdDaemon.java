package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// One containerd as a process that outlives the one which started it.
final class ContainerdDaemon {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final int TOLD_LINES = 5;

  /// Takes the mount away only where this process runs, then becomes the program.
  private static final String HIDE =
      "mount --make-rprivate \"$(dirname \"$0\")\" && umount \"$0\" && exec \"$@\"";

  private final ServicePlan plan;
  private final ContainerdFolder folder;
  private final Programs programs;

  ContainerdDaemon(ServicePlan plan, ContainerdFolder folder, Programs programs) {
    this.plan = plan;
    this.folder = folder;
    this.programs = programs;
  }

  ServicePlan plan() {
    return plan;
  }

  ContainerdFolder folder() {
    return folder;
  }

  /// Found by the configuration that it was started with, so that no other one is taken for it.
  Optional<ProcessHandle> process() {
    String config = folder.config().toString();
    return ProcessHandle.allProcesses()
        .filter(process -> arguments(process).contains(config))
        .findFirst();
  }

  /// Starts it unless it runs; one with another configuration is replaced, and its containers run
  /// on meanwhile.
  void launch(String config) throws IOException {
    boolean same =
        Files.exists(folder.config()) && Files.readString(folder.config()).equals(config);
    if (same && process().isPresent()) {
      return;
    }
    end();
    Files.createDirectories(folder.path());
    Files.writeString(folder.config(), config);
    Commands.prepare(command())
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.log().toFile()))
        .start();
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(List.of(programs.file("setsid").toString()));
    if (!plan.hiddenMount().isEmpty()) {
      command.addAll(List.of("unshare", "--mount", "--propagation", "unchanged"));
      command.addAll(List.of("sh", "-c", HIDE, plan.hiddenMount()));
    }
    command.add(programs.file("containerd").toString());
    command.addAll(List.of("--config", folder.config().toString()));
    return command;
  }

  void awaitServing() throws IOException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < end
        && process().isPresent()
        && !Thread.currentThread().isInterrupted()) {
      if (Files.exists(folder.socket()) && answers()) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    throw new ContainerdException(
        new Problem(
            "containerd did not start",
            lastWords(),
            "Look into %s, or use another runtime with --container-runtime-endpoint"
                .formatted(folder.log())));
  }

  private boolean answers() {
    return Commands.succeeds(
        programs.file("ctr").toString(), "-a", folder.socket().toString(), "plugins", "ls");
  }

  private String lastWords() throws IOException {
    List<String> lines = Files.exists(folder.log()) ? Files.readAllLines(folder.log()) : List.of();
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size()));
  }

  /// Runs containerd's own client; answers what it printed.
  String ctr(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.file("ctr").toString(), "-a", folder.socket().toString(), "-n", "k8s.io"));
    command.addAll(List.of(arguments));
    return Commands.run(command);
  }

  /// Ends the process; its containers run on.
  void end() {
    process().ifPresent(process -> end(process, STOP_LIMIT));
  }

  /// Ends the processes that hold containers, and whatever runs in these.
  void endShims() {
    String socket = folder.socket().toString();
    List<ProcessHandle> shims =
        ProcessHandle.allProcesses()
            .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
            .filter(process -> arguments(process).contains(socket))
            .toList();
    for (ProcessHandle shim : shims) {
      shim.descendants().forEach(ProcessHandle::destroyForcibly);
      end(shim, Duration.ZERO);
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
