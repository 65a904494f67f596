package dev.berth.checks;

import dev.berth.launch.ControlPlane;
import dev.berth.launch.LaunchConfig;
import java.nio.file.Path;

/// A whole control plane in this process, on a free port of the loopback interface.
public final class TestCluster implements AutoCloseable {
  private final ControlPlane plane;

  private TestCluster(ControlPlane plane) {
    this.plane = plane;
  }

  public static TestCluster start(Path dataDir) {
    return new TestCluster(ControlPlane.start(LaunchConfig.embedded(dataDir)));
  }

  public Path kubeconfig() {
    return plane.kubeconfig();
  }

  @Override
  public void close() {
    plane.close();
  }
}
