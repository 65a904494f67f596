package dev.berth.checks.kubectl;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.WorkloadType;
import dev.berth.checks.TestCluster;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.AgentConfig;
import dev.berth.launch.JoinTokens;
import dev.berth.launch.LinuxSystem;
import dev.berth.launch.NodeEntry;
import dev.berth.launch.StandaloneAgent;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimWorld;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.Profile;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A ReplicaSet whose pods ask for a runtime service that the node had and has no more.
class ServiceGoneStormIT {
  @TempDir private Path folder;

  @Test
  void thePodFailsOnceAndItsSuccessorWaits() throws InterruptedException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    try (TestCluster cluster = TestCluster.start(folder.resolve("data"));
        SimWorld world = new SimWorld(InstantSource.system(), new Random(1));
        Simulator one = simulator("one", world);
        Simulator two = simulator("two", world)) {
      NodeEntry entry = entry(cluster);
      ReplicaSetPods sets;
      try (StandaloneAgent _ = StandaloneAgent.start(config(one, two), entry)) {
        sets = ReplicaSetPods.in(cluster, folder.resolve("cache"));
        String app = ReplicaSetPods.name(FailureReason.SERVICE_GONE);
        sets.create(Map.of(app, "nodeName: node-1; runtimeServiceName: two"));
        sets.awaitRunning(app);
      }
      try (StandaloneAgent _ = StandaloneAgent.start(config(one), entry)) {
        sets.assertOneFailedThenPending(FailureReason.SERVICE_GONE);
      }
    }
  }

  private static NodeEntry entry(TestCluster cluster) {
    JoinTokens.Made token = JoinTokens.create(cluster.kubeconfig(), Duration.ofHours(1), true);
    return new NodeEntry.Join(token.server(), token.token());
  }

  private static Simulator simulator(String name, SimWorld world) {
    CriEndpoint endpoint = new CriEndpoint.InProcess(name + "-" + UUID.randomUUID());
    Profile profile = Profile.named("linux/amd64").orElseThrow();
    return Simulator.start(SimConfig.of(name, endpoint, profile), world);
  }

  private AgentConfig config(Simulator... services) {
    List<RuntimeDeclaration> runtimes =
        Arrays.stream(services)
            .map(one -> new RuntimeDeclaration(one.name(), WorkloadType.CONTAINER, one.endpoint()))
            .toList();
    return new AgentConfig(
        folder.resolve("agent"),
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
}
