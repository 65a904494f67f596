package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods that ask for what nobody thought of.
final class StrangePodsTest {
  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  private final Queue<Instant> tries = new ConcurrentLinkedQueue<>();
  @TempDir private Path folder;

  @Test
  void whatTheAgentCannotDoIsToldAndTriedLater() throws Exception {
    try (TestNode node = new TestNode(folder).in(time).with(new NoSuchPath())) {
      node.service("one");
      node.start();
      node.pod("web", "{containers: [{name: main, image: 'busybox:1'}]}");

      Await.until(
          "it was tried some times",
          () -> {
            time.advance(Duration.ofMillis(250));
            return tries.size() > 5;
          });

      assertThat(Duration.between(tries.peek(), time.instant()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1 + 2 + 4 + 8 + 10));
      JsonNode waiting = node.status("web").at("/containerStatuses/0/state/waiting");
      assertThat(waiting.path("reason").asText()).isEqualTo("CreateContainerError");
      assertThat(waiting.path("message").asText())
          .isEqualTo(
              "the agent failed at this, see its log: java.nio.file.InvalidPathException: Nul"
                  + " character not allowed: a?b");
    }
  }

  private final class NoSuchPath implements PodVolumes {
    @Override
    public void prepare(Pod pod) {}

    @Override
    public List<VolumeMounting> mounts(Pod pod, Container container) {
      tries.add(time.instant());
      throw new InvalidPathException("a?b", "Nul character not allowed");
    }

    @Override
    public void remove(Pod pod) {}
  }
}
