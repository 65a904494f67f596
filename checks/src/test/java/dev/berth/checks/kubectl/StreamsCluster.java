package dev.berth.checks.kubectl;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A cluster whose one node has a real containerd, and the real kubectl.
record StreamsCluster(
    Path directory, ContainerdProcess containerd, TestCluster cluster, Kubectl kubectl)
    implements AutoCloseable {
  /// Returns when the node is ready.
  static StreamsCluster start(Path directory) throws IOException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC), "containerd and root are needed");
    ContainerdProcess containerd =
        ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.RUNC);
    TestCluster cluster =
        TestCluster.withNode(
            directory.resolve("data"),
            List.of(
                new RuntimeDeclaration(
                    "containerd",
                    WorkloadType.CONTAINER,
                    new CriEndpoint.UnixSocket(containerd.socket()))));
    Kubectl kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
    kubectl.run("wait", "--for=create", "node/node-1", "--timeout=180s");
    kubectl.run("wait", "--for=condition=Ready", "node/node-1", "--timeout=180s");
    return new StreamsCluster(directory, containerd, cluster, kubectl);
  }

  @Override
  public void close() throws IOException {
    kubectl.run("delete", "pod", "--all", "--timeout=180s");
    cluster.close();
    containerd.close();
    // The agent leaves its directory in memory mounted, because pods outlive it.
    new ProcessBuilder("umount", directory.resolve("data/agent/memory").toString())
        .start()
        .onExit()
        .join();
  }
}
