package dev.berth.controllers.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import dev.berth.controllers.workloads.PodCache;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pods whose node was deleted.
final class OrphanedPodsTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(BEGIN);
  private final TestCluster cluster = new TestCluster(time, time);

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void podsOfADeletedNodeGoAfterAWhileAndOthersStay() throws Exception {
    create(ResourceType.NODES, "{metadata: {name: here}}");
    pod("stays", "here");
    pod("waits", "");
    pod("goes", "away");
    create(
        ResourceType.PODS,
        "{metadata: {name: stuck, namespace: default, deletionTimestamp: '%s', finalizers: [a/b]},"
            + " spec: {nodeName: away}}",
        BEGIN);

    try (Informer<ObjectNode> nodes = cluster.nodes();
        PodCache pods = new PodCache(cluster.context());
        OrphanedPods _ = new OrphanedPods(cluster.context(), nodes, pods)) {
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(5));
            assertThat(exists("goes")).isFalse();
          });
      assertThat(Duration.between(BEGIN, time.instant()))
          .isGreaterThanOrEqualTo(OrphanedPods.PATIENCE);
      assertThat(exists("stays")).isTrue();
      assertThat(exists("waits")).isTrue();
      Await.untilAsserted(() -> assertThat(status("stuck")).contains("\"phase\":\"Failed\""));
      assertThat(status("stuck")).contains("DeletionByPodGC", "PodGC: node no longer exists");
    }
  }

  @Test
  void onePodThatCannotGoKeepsNoOther() throws Exception {
    pod("a", "away");
    pod("b", "away");
    pod("c", "away");

    try (var _ =
            cluster.server().refuse(r -> r.target().endsWith("/pods/b/status"), 422, "Invalid");
        Informer<ObjectNode> nodes = cluster.nodes();
        PodCache pods = new PodCache(cluster.context());
        OrphanedPods _ = new OrphanedPods(cluster.context(), nodes, pods)) {
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(5));
            assertThat(List.of(exists("a"), exists("b"), exists("c")))
                .containsExactly(false, true, false);
          });
    }
  }

  private void pod(String name, String node) throws IOException {
    create(
        ResourceType.PODS,
        "{metadata: {name: %s, namespace: default}, spec: {nodeName: '%s'},"
            + " status: {phase: Running}}",
        name,
        node);
  }

  private boolean exists(String name) {
    return cluster.server().find(ResourceType.PODS, new ObjectKey("default", name)).isPresent();
  }

  private String status(String name) {
    return cluster
        .server()
        .find(ResourceType.PODS, new ObjectKey("default", name))
        .map(pod -> pod.path("status").toString())
        .orElse("");
  }

  private void create(ResourceType type, String yaml, Object... parts) throws IOException {
    ObjectNode object = (ObjectNode) YAML.readTree(yaml.formatted(parts));
    ObjectNode _ = cluster.server().create(type, object);
  }
}
