package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeMounting;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods whose volumes grow beyond their limits.
final class EvictionsTest {
  private static final String WHY = "Usage of EmptyDir volume \"v\" exceeds the limit \"1Ki\". ";

  @TempDir private Path folder;

  @Test
  void aPodThatTakesTooMuchFailsAndGivesItsRoomBack() throws Exception {
    GrowingVolumes volumes = new GrowingVolumes();
    try (TestNode node = new TestNode(folder).with(volumes).hurried()) {
      node.service("one");
      node.start();
      for (String name : List.of("greedy", "modest")) {
        node.pod(
            name,
            "{terminationGracePeriodSeconds: 600, containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]}");
        node.awaitPhase(name, "Running");
      }

      volumes.grown.set(true);
      JsonNode status = node.awaitPhase("greedy", "Failed");

      assertThat(status.path("reason").asText()).isEqualTo("Evicted");
      assertThat(status.path("message").asText()).isEqualTo(WHY);
      Await.until("the event is there", () -> node.events("greedy").contains("Evicted: " + WHY));
      Await.until("the room is free", volumes.removed::get);
      assertThat(node.status("modest").path("phase").asText()).isEqualTo("Running");
    }
  }

  private static final class GrowingVolumes implements PodVolumes {
    final AtomicBoolean grown = new AtomicBoolean();
    final AtomicBoolean removed = new AtomicBoolean();

    @Override
    public void prepare(Pod pod) {}

    @Override
    public List<VolumeMounting> mounts(Pod pod, Container container) {
      return List.of();
    }

    @Override
    public Optional<String> excess(Pod pod) {
      boolean isGreedy = pod.getMetadata().getName().equals("greedy");
      return isGreedy && grown.get() ? Optional.of(WHY) : Optional.empty();
    }

    @Override
    public void remove(Pod pod) {
      removed.set(true);
    }
  }
}
