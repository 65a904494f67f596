package dev.berth.bench.node;

import dev.berth.bench.machine.ProcessUse;
import dev.berth.bench.servers.ServerProcess;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Measures memory and idle processor time of `./berth agent` in a process of its own, as on every
/// node but that of `berth up`.
///
/// The server is a process of its own too, so that the agent's memory has no control plane in it:
/// this is the figure to compare with a kubelet.
final class AgentProcessCost implements AutoCloseable {
  private static final String NODE = "alone";

  private final Process process;
  private final Path launcher;
  private final Path directory;
  private final Path log;

  /// The resource usage while a number of pods runs idle.
  record Use(int pods, long mebibytes, double idleShare) {}

  private AgentProcessCost(Process process, Path launcher, Path directory, Path log) {
    this.process = process;
    this.launcher = launcher;
    this.directory = directory;
    this.log = log;
  }

  /// @param directory the directory of the server and the agent
  /// @param socket the socket of the containerd that runs the pods
  /// @param sizes numbers of pods, in ascending order
  // The sizes are cumulative: the pods of a smaller size stay while the next ones start.
  static List<Use> measure(Path launcher, Path directory, Path socket, int[] sizes)
      throws IOException, InterruptedException {
    Path server = Files.createDirectories(directory.resolve("server"));
    Path kubeconfig = server.resolve("admin.kubeconfig");
    try (ServerProcess _ = ServerProcess.start(launcher, server);
        AgentProcessCost agent = start(launcher, directory.resolve("agent"), kubeconfig, socket);
        ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(kubeconfig));
        PodRounds pods = new PodRounds(client, NODE)) {
      // The check ends the wait when the agent has exited; otherwise a mistake in its flags would
      // hang here.
      NodeBench.awaitNode(client, agent::check);
      List<String> names = new ArrayList<>();
      List<Use> uses = new ArrayList<>();
      for (int size : sizes) {
        List<String> more = NodeBench.names("alone-" + size, size - names.size());
        // The times of these starts are thrown away; other parts of the benchmark measure them.
        NodeBench.start(pods, more);
        names.addAll(more);
        uses.add(agent.use(size));
      }
      NodeBench.end(pods, names);
      return uses;
    }
  }

  private static AgentProcessCost start(Path launcher, Path directory, Path kubeconfig, Path socket)
      throws IOException {
    Path log = Files.createDirectories(directory).resolve("agent.log");
    List<String> command =
        List.of(
            launcher.toAbsolutePath().toString(),
            "agent",
            "--data-dir",
            directory.toString(),
            "--kubeconfig",
            kubeconfig.toString(),
            "--node-name",
            NODE,
            "--port",
            "0",
            // A second agent on the machine must not manage the cgroups of the first.
            "--cgroup-root",
            "/berth-" + NODE,
            "--container-runtime-endpoint",
            "unix://" + socket);
    return new AgentProcessCost(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        launcher,
        directory,
        log);
  }

  // The log is the message: the agent says there what it refused, and its directory is deleted
  // afterwards.
  private void check() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("berth agent exited: " + Files.readString(log));
    }
  }

  /// The usage after the compilers have rested: memory, and the processor time of half a minute.
  private Use use(int pods) throws IOException, InterruptedException {
    ProcessUse use = ProcessUse.of(process);
    // Until then the JVM compiles what the start of pods made hot.
    Thread.sleep(NodeBench.CALMING);
    // Long enough for the agent's own periods, such as status reports and relists, to take part.
    double idle = use.share(Duration.ofSeconds(30));
    return new Use(pods, use.residentMiB(), idle);
  }

  @Override
  public void close() {
    NodeProcess.end(process, launcher, directory);
  }
}
