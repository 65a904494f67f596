package dev.berth.checks.kubectl;

import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.checks.TestCluster;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.join.JoinTokens;
import dev.berth.launch.join.NodeJoin;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimProfile;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

/// Simulated runtime services for agents of node `node-1` that are started one after the other. The
/// service `vm` is one for virtual machines.
final class SimulatedServices implements AutoCloseable {
  private final SimContext world = new SimContext(InstantSource.system(), new Random(1));
  private final Map<String, Simulator> services = new LinkedHashMap<>();

  SimulatedServices(String... names) {
    for (String name : names) {
      CriEndpoint endpoint = new CriEndpoint.InProcess(name + "-" + UUID.randomUUID());
      SimProfile profile = SimProfile.named(isMachine(name) ? "vm" : "linux/amd64").orElseThrow();
      services.put(name, Simulator.start(SimConfig.of(name, endpoint, profile), world));
    }
  }

  private static boolean isMachine(String name) {
    return name.equals("vm");
  }

  /// @param names of the services that the agent has
  AgentConfig config(Path directory, String... names) {
    List<RuntimeDeclaration> runtimes =
        Stream.of(names)
            .map(
                name ->
                    new RuntimeDeclaration(
                        name,
                        isMachine(name) ? WorkloadType.VM : WorkloadType.CONTAINER,
                        Objects.requireNonNull(services.get(name)).endpoint()))
            .toList();
    return new AgentConfig(
        directory,
        "node-1",
        InetAddress.getLoopbackAddress(),
        0,
        runtimes,
        new AgentConfig.Traits(
            Map.of(),
            List.of(),
            110,
            Map.of(),
            ReadinessPolicy.PARTIAL,
            TestCluster.PODS,
            new LinuxSystem()));
  }

  /// With which an agent joins, also again.
  static NodeJoin entry(TestCluster cluster) {
    JoinTokens.Made token = JoinTokens.create(cluster.kubeconfig(), Duration.ofHours(1), true);
    return new NodeJoin.Join(token.server(), token.token());
  }

  @Override
  public void close() {
    services.values().forEach(Simulator::close);
    world.close();
  }
}
