package dev.berth.chaos.arenas;

import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.NetworkPort;
import dev.berth.chaos.machine.ProcessClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// `berth agent` in a network namespace, with one runtime service. The heap is small, so that a
/// leak becomes visible within a run.
final class AgentUnderAttack implements AutoCloseable {
  /// Maximum heap of the agent's JVM.
  private static final int HEAP_MEBIBYTES = 256;

  private final NetworkPort port;
  private final Path dataDir;
  private final ProcessClock clock;
  private final ManagedProcess process;
  private final ProcessBounds bounds;

  /// @param groups the control group in which the agent creates those of pods
  AgentUnderAttack(ArenaContext context, String name, Path kubeconfig, Path socket, String groups)
      throws IOException {
    this.port = context.hub().add(name);
    this.dataDir = context.directory().resolve(name);
    this.clock = new ProcessClock(context.directory().resolve(name + ".clock"));
    List<String> words =
        List.of(
            "agent",
            "--data-dir=" + dataDir,
            "--kubeconfig=" + kubeconfig,
            "--node-name=" + name,
            "--node-ip=" + port.address(),
            "--port=10250",
            "--cgroup-root=" + groups,
            // The load of the machine must not evict pods.
            "--eviction-hard=memory.available<1Mi",
            "--image-gc-high-threshold=100",
            "--container-runtime-endpoint=unix://" + socket);
    this.process =
        new ManagedProcess(
            name,
            port.inside(BerthProgram.command(HEAP_MEBIBYTES + "m", words)),
            clock.environment(),
            context.directory().resolve(name + ".log"));
    this.bounds = new ProcessBounds(process, HEAP_MEBIBYTES, context.log());
  }

  NetworkPort port() {
    return port;
  }

  ProcessClock clock() {
    return clock;
  }

  ManagedProcess process() {
    return process;
  }

  ProcessBounds bounds() {
    return bounds;
  }

  Path dataDir() {
    return dataDir;
  }

  @Override
  public void close() throws IOException {
    process.close();
    port.remove();
  }
}
