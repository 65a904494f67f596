package dev.berth.chaos.arenas;

import dev.berth.chaos.machine.ShellCommand;
import dev.berth.launch.containerd.ContainerdTeardown;
import dev.berth.launch.containerd.PrivateContainerd;
import dev.berth.launch.containerd.RuntimeSocket;
import dev.berth.launch.containerd.SupervisedContainerds;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A containerd with runc, started as `berth up` does. Its supervisor restarts it after a kill. It
/// runs in the network namespace of the run, not in one of its own: its pods get addresses there.
final class ContainerdUnderAttack implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final SupervisedContainerds kept;
  private final RuntimeSocket runc;

  private ContainerdUnderAttack(Path directory, SupervisedContainerds kept, RuntimeSocket runc) {
    this.directory = directory;
    this.kept = kept;
    this.runc = runc;
  }

  static ContainerdUnderAttack start(Path directory) throws IOException {
    SupervisedContainerds kept =
        PrivateContainerd.of(directory, RuntimePrograms.ofThisMachine(), RegistryAccess.USUAL)
            .start();
    RuntimeSocket runc =
        kept.sockets().stream()
            .filter(socket -> socket.handlers().contains("runc"))
            .findFirst()
            .orElseThrow(() -> new IOException("no containerd offers runc: " + kept.sockets()));
    ContainerdUnderAttack containerd = new ContainerdUnderAttack(directory, kept, runc);
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!containerd.isServing()) {
      if (System.nanoTime() > end) {
        throw new IOException("containerd is not ready: " + runc);
      }
      LockSupport.parkNanos(100_000_000);
    }
    return containerd;
  }

  Path socket() {
    return runc.socket();
  }

  boolean isServing() {
    return ShellCommand.succeeds("ctr", "-a", socket().toString(), "plugins", "ls");
  }

  /// Kills containerd. Its containers keep running, and the supervisor restarts it.
  void kill() throws IOException {
    ProcessHandle process = process();
    process.destroyForcibly();
    process.onExit().join();
  }

  /// Stops containerd with SIGSTOP: it keeps its connections and answers nothing.
  void stop() throws IOException {
    ShellCommand.run("kill", "-STOP", Long.toString(process().pid()));
  }

  void resume() throws IOException {
    ShellCommand.run("kill", "-CONT", Long.toString(process().pid()));
  }

  /// The process whose configuration file is beside the socket.
  private ProcessHandle process() throws IOException {
    String config = socket().resolveSibling("config.toml").toString();
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                Arrays.asList(process.info().arguments().orElse(new String[0])).contains(config))
        .findFirst()
        .orElseThrow(() -> new IOException("no containerd runs with " + config));
  }

  /// Runs containerd's own client and returns the lines of its output.
  List<String> ctr(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("ctr", "-a", socket().toString(), "-n", "k8s.io"));
    command.addAll(List.of(words));
    return ShellCommand.run(command).lines().toList();
  }

  @Override
  public void close() {
    kept.close();
    ContainerdTeardown.run(directory, Duration.ofSeconds(2), _ -> {});
  }
}
