package dev.berth.controllers.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NodeLifecycleTest {
  private static final ObjectKey NODE = new ObjectKey("", "web-1");
  private static final ObjectKey LEASE = new ObjectKey("kube-node-lease", "web-1");

  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  private final TestCluster cluster = new TestCluster(time, time);

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aSilentNodeBecomesUnknownAndComesBackWithItsHeartbeat() {
    createLivingNode();
    try (Informer<ObjectNode> nodes = cluster.nodes();
        NodeLifecycle _ = new NodeLifecycle(cluster.context(), nodes)) {
      Await.untilAsserted(() -> assertThat(taints()).isEmpty());
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(condition("Ready").path("status").asText()).isEqualTo("Unknown");
            assertThat(condition("RuntimeReady-a").path("status").asText()).isEqualTo("Unknown");
            assertThat(taints().toString()).contains("unreachable");
          });
      assertThat(condition("Ready").path("message").asText())
          .isEqualTo("Kubelet stopped posting node status.");
      assertThat(cluster.server().list(ResourceType.EVENTS))
          .extracting(
              event -> event.path("reason").asText() + ": " + event.path("message").asText())
          .containsExactlyInAnyOrder(
              "RegisteredNode: Node web-1 event: Registered Node web-1 in Controller",
              "NodeNotReady: Node web-1 status is now: NodeNotReady");

      renew("2030-01-01T00:05:00.000000Z");
      reportReady("2030-01-01T00:05:00Z");

      Await.untilAsserted(() -> assertThat(taints()).isEmpty());
    }
  }

  @Test
  void aStatusIsASignOfLifeToo() {
    createLivingNode();
    try (Informer<ObjectNode> nodes = cluster.nodes();
        NodeLifecycle _ = new NodeLifecycle(cluster.context(), nodes)) {
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(taints().toString()).contains("unreachable");
          });

      reportReady("2030-01-01T00:05:00Z");

      Await.untilAsserted(() -> assertThat(taints()).isEmpty());
      assertThat(condition("Ready").path("status").asText()).isEqualTo("True");
    }
  }

  @Test
  void theRuntimesOfAllNodesArePublished() {
    cluster.server().createNamespace("kube-public");
    createNode();
    try (Informer<ObjectNode> nodes = cluster.nodes();
        AdvertisedRuntimes _ = new AdvertisedRuntimes(cluster.context(), nodes)) {
      Await.untilAsserted(
          () ->
              assertThat(published("services"))
                  .isEqualToIgnoringWhitespace(
                      """
                      [{"name": "a", "workloadType": "container", "version": "fake://1.2", "handlers": ["runc"],
                        "nodes": [{"name": "web-1", "ready": true}]}]
                      """));
    }
  }

  @Test
  void whatNodesAndClassesRunIsPublished() {
    cluster.server().createNamespace("kube-public");
    createNode();
    try (Informer<ObjectNode> nodes = cluster.nodes();
        AdvertisedRuntimes _ = new AdvertisedRuntimes(cluster.context(), nodes)) {
      Await.untilAsserted(() -> assertThat(published("platforms")).contains("web-1"));
      ObjectNode boxed = TestCluster.object("", "boxed");
      ObjectNode _ =
          cluster.server().create(ResourceType.RUNTIME_CLASSES, boxed.put("handler", "runc"));

      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(published("platforms"))
                .isEqualToIgnoringWhitespace(
                    """
                    [{"platforms": [{"platform": "linux/arm64"}], "count": 1, "nodes": ["web-1"]},
                     {"runtimeClass": "boxed", "platforms": [{"platform": "linux/arm64"}], "count": 1,
                      "nodes": ["web-1"]}]
                    """);
          });
    }
  }

  private String published(String key) {
    return cluster
        .server()
        .find(ResourceType.CONFIG_MAPS, new ObjectKey("kube-public", "berth-runtimes"))
        .orElseThrow()
        .path("data")
        .path(key)
        .asText();
  }

  private void createLivingNode() {
    cluster.server().createNamespace("kube-node-lease");
    createNode();
    ObjectNode lease = cluster.create(ResourceType.LEASES, "kube-node-lease", "web-1");
    assertThat(lease).isNotNull();
    renew("2030-01-01T00:00:00.000000Z");
  }

  private void createNode() {
    ObjectNode node = TestCluster.object("", "web-1");
    node.withObject("/metadata/annotations")
        .put(
            RuntimeListing.ANNOTATION,
            "{\"a\":{\"workloadType\":\"container\",\"handlers\":[\"runc\"],\"default\":true}}");
    node.withObject("/metadata/labels")
        .put("kubernetes.io/os", "linux")
        .put("kubernetes.io/arch", "arm64");
    node.set("status", readyStatus("2030-01-01T00:00:00Z"));
    ObjectNode _ = cluster.server().create(ResourceType.NODES, node);
  }

  private static ObjectNode readyStatus(String heartbeat) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    var conditions = status.putArray("conditions");
    conditions
        .addObject()
        .put("type", "RuntimeReady-a")
        .put("status", "True")
        .put("message", "fake://1.2: compute and network are ready");
    conditions
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("lastHeartbeatTime", heartbeat);
    return status;
  }

  private void reportReady(String heartbeat) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.set("status", readyStatus(heartbeat));
    cluster.context().client().json(ResourceType.NODES).patch(NODE, ObjectPatch.merge(patch));
  }

  private void renew(String at) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.withObject("/spec").put("renewTime", at);
    cluster.context().client().json(ResourceType.LEASES).patch(LEASE, ObjectPatch.merge(patch));
  }

  private JsonNode taints() {
    return node().path("spec").path("taints");
  }

  private JsonNode condition(String type) {
    for (JsonNode condition : node().at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    throw new AssertionError("no condition " + type);
  }

  private ObjectNode node() {
    return cluster.server().find(ResourceType.NODES, NODE).orElseThrow();
  }
}
