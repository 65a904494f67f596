package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.worker.OrphanRetryInterval;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.sim.Simulator;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sandboxes that come up when their pod is gone: the call that made them was cut off.
final class CutSandboxesTest {
  private static final String SLEEPING =
      "{terminationGracePeriodSeconds: 1,"
          + " containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSandboxOfAPodThatIsBoundToNoServiceIsRemoved(boolean isReady) throws Exception {
    try (TestNode node = new TestNode(directory)) {
      Simulator one = node.service("one");
      node.start();
      node.pod("web", SLEEPING);
      node.awaitPhase("web", "Running");
      RuntimeClient runtime = node.registry().runtimeServices().getFirst().runtime();

      String id = runtime.runPodSandbox(late(), "");
      if (!isReady) {
        runtime.stopPodSandbox(id);
      }

      Await.until("only that of the pod is left", () -> one.machine().sandboxCount() == 1);
      Await.until(
          "its binding is released",
          () -> node.registry().find("uid-late") instanceof PodLookup.NotBound);
      assertThat(node.status("web").path("phase").asText()).isEqualTo("Running");
    }
  }

  private static PodSandboxConfig late() {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName("late")
                .setNamespace("default")
                .setUid("uid-late"))
        .setHostname("late")
        .setLogDirectory("/nowhere")
        .putLabels("io.kubernetes.pod.uid", "uid-late")
        .putLabels("io.kubernetes.pod.name", "late")
        .putLabels("io.kubernetes.pod.namespace", "default")
        .putLabels("berth.dev/node", TestNode.NAME)
        .build();
  }

  @Test
  void whatIsThereAgainAfterItsEndIsEndedLessAndLessOften() {
    ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
    OrphanRetryInterval pace = new OrphanRetryInterval(time);
    Pod pod = new PodBuilder().withNewMetadata().withUid("u").withName("p").endMetadata().build();
    int ends = 0;
    for (int second = 0; second < 35 * 60; second++) {
      if (pace.waitBefore("u").isEmpty()) {
        pace.ended(pod);
        ends++;
      }
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(ends).isBetween(10, 16);
    assertThat(pace.waitBefore("other")).isEmpty();
  }
}
