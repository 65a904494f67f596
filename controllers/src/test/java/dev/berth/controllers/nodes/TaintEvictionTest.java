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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pods on nodes with `NoExecute` taints.
final class TaintEvictionTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(BEGIN);
  private final TestCluster cluster = new TestCluster(time, time);

  @AfterEach
  void close() {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "[]                                                                    | 0",
        "[{key: a, operator: Exists}]                                          | -",
        "[{operator: Exists}]                                                  | -",
        "[{key: a, value: x, effect: NoExecute}]                               | -",
        "[{key: a, value: y, effect: NoExecute}]                               | 0",
        "[{key: a, value: x, effect: NoSchedule}]                              | 0",
        "[{key: a, operator: Exists, tolerationSeconds: 30}]                   | 30",
        "[{key: a, operator: Exists, tolerationSeconds: -5}]                   | 0",
        "[{operator: Exists, tolerationSeconds: 9}, {key: a, operator: Exists}] | 9",
      })
  void aPodStaysAsLongAsItTolerates(String tolerations, Long seconds) throws Exception {
    ObjectNode pod =
        read("{metadata: {creationTimestamp: '%s'}, spec: {tolerations: %s}}", BEGIN, tolerations);
    ObjectNode taints =
        read("{taints: [{key: b, effect: NoSchedule}, {key: a, value: x, effect: NoExecute}]}");

    assertThat(NoExecuteTolerance.end(pod, taints.path("taints"), _ -> BEGIN.minusSeconds(60)))
        .isEqualTo(java.util.Optional.ofNullable(seconds).map(BEGIN::plusSeconds));
  }

  @Test
  void podsGoWhenTheirTimeIsUpAndSayWhy() throws Exception {
    pod("firm", "[{key: broken, operator: Exists}]");
    pod("patient", "[{key: broken, operator: Exists, tolerationSeconds: 60}]");
    pod("hasty", "[]");
    ObjectNode _ =
        cluster
            .server()
            .create(
                ResourceType.NODES,
                read(
                    "{metadata: {name: web-1}, spec: {taints: [{key: broken, effect: NoExecute}]}}"));

    try (Informer<ObjectNode> nodes = cluster.nodes();
        TaintEviction _ = new TaintEviction(cluster.context(), nodes)) {
      Await.untilAsserted(() -> assertThat(exists("hasty")).isFalse());
      assertThat(exists("patient")).isTrue();
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(5));
            assertThat(exists("patient")).isFalse();
          });
      assertThat(Duration.between(BEGIN, time.instant()))
          .isGreaterThanOrEqualTo(Duration.ofMinutes(1));
      assertThat(exists("firm")).isTrue();
    }

    assertThat(cluster.server().list(ResourceType.EVENTS))
        .extracting(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .containsExactlyInAnyOrder(
            "TaintManagerEviction: Marking for deletion Pod default/hasty",
            "TaintManagerEviction: Marking for deletion Pod default/patient");
  }

  private void pod(String name, String tolerations) throws IOException {
    ObjectNode _ =
        cluster
            .server()
            .create(
                ResourceType.PODS,
                read(
                    "{metadata: {name: %s, namespace: default}, spec: {nodeName: web-1, tolerations: %s}}",
                    name, tolerations));
  }

  /// A pod that is being deleted waits for its node, which is not there.
  private boolean exists(String name) {
    return cluster
        .server()
        .find(ResourceType.PODS, new ObjectKey("default", name))
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .isPresent();
  }

  private static ObjectNode read(String yaml, Object... parts) throws IOException {
    return (ObjectNode) YAML.readTree(yaml.formatted(parts));
  }
}
