package dev.berth.checks.kubectl;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.pods.status.FailureReason;
import dev.berth.checks.TestCluster;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.join.NodeJoin;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A ReplicaSet whose pods ask for a runtime service that the node had and has no more.
class ServiceGoneStormIT {
  @TempDir private Path directory;

  @Test
  void thePodFailsOnceAndItsSuccessorWaits() throws InterruptedException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    try (TestCluster cluster = TestCluster.start(directory.resolve("data"));
        SimulatedServices services = new SimulatedServices("one", "two")) {
      NodeJoin entry = SimulatedServices.entry(cluster);
      Path agent = directory.resolve("agent");
      ReplicaSetPods sets;
      try (StandaloneAgent _ = StandaloneAgent.start(services.config(agent, "one", "two"), entry)) {
        sets = ReplicaSetPods.in(cluster, directory.resolve("cache"));
        String app = ReplicaSetPods.name(FailureReason.SERVICE_GONE);
        sets.create(Map.of(app, "nodeName: node-1; runtimeServiceName: two"));
        sets.awaitRunning(app);
      }
      try (StandaloneAgent _ = StandaloneAgent.start(services.config(agent, "one"), entry)) {
        sets.assertOneFailedThenPending(FailureReason.SERVICE_GONE);
      }
    }
  }
}
