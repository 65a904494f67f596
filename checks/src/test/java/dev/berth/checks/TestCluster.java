package dev.berth.checks;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.launch.AgentConfig;
import dev.berth.launch.ControlPlane;
import dev.berth.launch.LaunchConfig;
import dev.berth.launch.LocalNode;
import dev.berth.launch.RuntimeSource;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

/// A whole control plane in this process, on a free port of the loopback interface.
public final class TestCluster implements AutoCloseable {
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
    AgentConfig config =
        new AgentConfig(
            dataDir,
            "node-1",
            InetAddress.getLoopbackAddress(),
            0,
            runtimes,
            AgentConfig.Traits.PLAIN);
    return new TestCluster(
        ControlPlane.start(
            LaunchConfig.embedded(dataDir)
                .with(
                    new LocalNode(
                        config,
                        runtimes.isEmpty() ? RuntimeSource.SIMULATED : RuntimeSource.ANY))));
  }

  public Path kubeconfig() {
    return plane.kubeconfig();
  }

  @Override
  public void close() {
    plane.close();
  }
}
