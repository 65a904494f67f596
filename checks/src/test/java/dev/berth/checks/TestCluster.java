package dev.berth.checks;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.launch.AgentConfig;
import dev.berth.launch.ControlPlane;
import dev.berth.launch.LaunchConfig;
import dev.berth.launch.LinuxSystem;
import dev.berth.launch.LocalNode;
import dev.berth.launch.NodeSystem;
import dev.berth.launch.PodRules;
import dev.berth.launch.RuntimeSource;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A whole control plane in this process, on a free port of the loopback interface.
public final class TestCluster implements AutoCloseable {
  /// Pods that a test leaves behind end with their containerd; nobody would remove their groups.
  /// How full the machine is must not decide what becomes of a test.
  public static final PodRules PODS =
      PodRules.USUAL.with(PodRules.Groups.UNWANTED).with(PressureRules.NONE);

  private final ControlPlane plane;

  private TestCluster(ControlPlane plane) {
    this.plane = plane;
  }

  public static TestCluster start(Path dataDir) {
    return new TestCluster(ControlPlane.start(LaunchConfig.embedded(dataDir)));
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

  /// With a node that has a folder of its own and a simulated runtime.
  public static TestCluster withNode(Path dataDir, Path nodeDir, PodRules pods) {
    return withNode(dataDir, node(nodeDir, List.of(), pods), RuntimeSource.SIMULATED);
  }

  /// With a simulated node of another operating system.
  public static TestCluster withNode(Path dataDir, NodeSystem system) {
    return withNode(dataDir, node(dataDir, List.of(), PODS, system), RuntimeSource.SIMULATED);
  }

  private static TestCluster withNode(Path dataDir, AgentConfig node, RuntimeSource source) {
    return new TestCluster(
        ControlPlane.start(LaunchConfig.embedded(dataDir).with(new LocalNode(node, source))));
  }

  private static AgentConfig node(
      Path directory, List<RuntimeDeclaration> runtimes, PodRules pods) {
    return node(directory, runtimes, pods, new LinuxSystem());
  }

  private static AgentConfig node(
      Path directory, List<RuntimeDeclaration> runtimes, PodRules pods, NodeSystem system) {
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
