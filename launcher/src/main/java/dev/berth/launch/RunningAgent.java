package dev.berth.launch;

import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.MachineFacts;
import dev.berth.agent.node.machine.Room;
import dev.berth.agent.runtimes.Surroundings;
import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.client.ApiClient;
import dev.berth.client.Delays;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;

/// The agent of a node, put together: runtime services, the Node object, pods, the node's server.
final class RunningAgent implements AutoCloseable {
  /// The level of Kubernetes that the agent speaks.
  private static final String VERSION = "v1.32.0+berth-0.1.0";

  private final Parts parts;
  private final String nodeName;

  private RunningAgent(Parts parts, String nodeName) {
    this.parts = parts;
    this.nodeName = nodeName;
  }

  /// Starts everything; waits neither for the API server nor for runtimes.
  ///
  /// @param client stays open
  /// @param server where the client's API server is
  static RunningAgent start(AgentConfig config, ApiClient client, URI server, Clock clock)
      throws IOException, InterruptedException {
    Parts parts = new Parts();
    try {
      return assemble(config, client, server, clock, parts);
    } catch (IOException | InterruptedException | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static RunningAgent assemble(
      AgentConfig config, ApiClient client, URI server, Clock clock, Parts parts)
      throws IOException, InterruptedException {
    Files.createDirectories(config.dataDir());
    LinuxMachine linux = new LinuxMachine(Path.of("/"), config.dataDir());
    MachineFacts machine =
        linux.facts(Runtime.getRuntime().availableProcessors(), System.getProperty("os.arch", ""));
    InetAddress address = config.address() == null ? NodeAddress.towards(server) : config.address();
    NodeOptions options = config.options(address);
    PrometheusRegistry metrics = new PrometheusRegistry();
    Delays delays = parts.add(Delays.realTime());
    NodeRuntimes runtimes = runtimes(config, metrics, delays, clock, parts);
    parts.add(
        NodeAgent.start(
            new NodeAgent.Parts(
                options, machine, () -> room(linux), runtimes.registry(), config.port(), VERSION),
            new NodeAgent.Surroundings(client, clock, delays, new Random())));
    return new RunningAgent(parts, options.name());
  }

  private static NodeRuntimes runtimes(
      AgentConfig config, PrometheusRegistry registry, Delays delays, Clock clock, Parts parts)
      throws IOException {
    CriMetrics metrics = new CriMetrics(registry);
    CriTransport transport = parts.add(new CriTransport());
    CriChannels channels =
        new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    return parts.add(
        NodeRuntimes.start(
            Places.below(config.dataDir().resolve("agent")),
            config.runtimes(),
            new Surroundings(channels, metrics, HealthTimings.STANDARD, delays, clock)));
  }

  private static Room room(LinuxMachine linux) {
    try {
      return linux.room();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String nodeName() {
    return nodeName;
  }

  @Override
  public void close() {
    parts.close();
  }
}
