package dev.berth.checks;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.LocalNode;
import dev.berth.launch.agent.NodeSystem;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.runtimes.RuntimeSource;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A whole control plane in this process, on a free port of the loopback interface.
public final class TestCluster implements AutoCloseable {
  /// Pods that a test leaves behind end with their containerd; nobody would remove their groups.
  /// How full the machine is must not decide what becomes of a test.
  public static final PodSettings PODS =
      PodSettings.USUAL.with(PodSettings.Groups.UNWANTED).with(PressureRules.NONE);

  private final ControlPlane plane;

  private TestCluster(ControlPlane plane) {
    this.plane = plane;
  }

  public static TestCluster start(Path dataDir) {
    return new TestCluster(ControlPlane.start(LaunchConfig.embedded(dataDir)));
  }

  /// A server for pods of a node that has no Node object: with controllers they would be removed
  /// after 40 seconds as pods of a deleted node, in the middle of a test on a busy machine.
  public static TestCluster withoutControllers(Path dataDir) throws IOException {
    LaunchConfig usual = LaunchConfig.embedded(dataDir);
    TestCluster cluster =
        new TestCluster(
            ControlPlane.start(
                new LaunchConfig(
                    usual.server(),
                    usual.store(),
                    new LaunchConfig.LocalClients(false, false),
                    null)));
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(ServerProcess.patient(Config.fromKubeconfig(cluster.kubeconfig().toFile())))
            .build()) {
      // What a controller would make.
      client
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName("default")
                  .withNamespace("default")
                  .endMetadata()
                  .build())
          .create();
    }
    return cluster;
  }

  /// With a node in the same process.
  ///
  /// @param runtimes its services; none for a simulated one
  public static TestCluster withNode(Path dataDir, List<RuntimeDeclaration> runtimes) {
    return withNode(
        dataDir,
        node(dataDir, runtimes, PODS),
        runtimes.isEmpty() ? RuntimeSource.SIMULATED : RuntimeSource.ANY);
  }

  /// With a node that has a directory of its own and a simulated runtime.
  public static TestCluster withNode(Path dataDir, Path nodeDir, PodSettings pods) {
    return withNode(dataDir, node(nodeDir, List.of(), pods), RuntimeSource.SIMULATED);
  }

  /// With a simulated node of another operating system.
  public static TestCluster withNode(Path dataDir, NodeSystem system) {
    return withNode(dataDir, node(dataDir, List.of(), PODS, system), RuntimeSource.SIMULATED);
  }

  /// With a simulated node that takes so many pods and has other traits.
  public static TestCluster withNode(
      Path dataDir, NodeSystem system, int maxPods, UnaryOperator<PodSettings> pods) {
    AgentConfig.Traits traits =
        new AgentConfig.Traits(
            Map.of(),
            List.of(),
            maxPods,
            Map.of(),
            ReadinessPolicy.PARTIAL,
            pods.apply(PODS),
            system);
    AgentConfig node =
        new AgentConfig(dataDir, "node-1", InetAddress.getLoopbackAddress(), 0, List.of(), traits);
    return withNode(dataDir, node, RuntimeSource.SIMULATED);
  }

  private static TestCluster withNode(Path dataDir, AgentConfig node, RuntimeSource source) {
    return new TestCluster(
        ControlPlane.start(LaunchConfig.embedded(dataDir).with(new LocalNode(node, source))));
  }

  private static AgentConfig node(
      Path directory, List<RuntimeDeclaration> runtimes, PodSettings pods) {
    return node(directory, runtimes, pods, new LinuxSystem());
  }

  private static AgentConfig node(
      Path directory, List<RuntimeDeclaration> runtimes, PodSettings pods, NodeSystem system) {
    return new AgentConfig(
        directory,
        "node-1",
        InetAddress.getLoopbackAddress(),
        0,
        runtimes,
        new AgentConfig.Traits(
            Map.of(),
            List.of(),
            NodeOptions.MAX_PODS,
            Map.of(),
            ReadinessPolicy.PARTIAL,
            pods,
            system));
  }

  public Path kubeconfig() {
    return plane.kubeconfig();
  }

  @Override
  public void close() {
    plane.close();
  }
}
