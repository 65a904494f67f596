package dev.berth.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NamespaceTerminationTest {
  private static final ObjectKey TEAM = ObjectKey.clusterScoped("team");

  private final TestCluster cluster = new TestCluster();
  private final Informer<ObjectMetadata> namespaces = cluster.namespaces();
  private NamespaceTermination loop = new NamespaceTermination(cluster.context(), namespaces);

  @BeforeEach
  void createNamespace() {
    cluster.server().createNamespace("team");
  }

  @AfterEach
  void close() {
    loop.close();
    namespaces.close();
    cluster.close();
  }

  @Test
  void deletedNamespaceIsEmptiedAndGoesAndOthersAreLeftAlone() {
    cluster.create(ResourceType.CONFIG_MAPS, "team", "a");
    cluster.create(ResourceType.PODS, "team", "p");
    cluster.create(ResourceType.CONFIG_MAPS, "default", "a");

    cluster.server().delete(ResourceType.NAMESPACES, TEAM, "Background");

    Await.until(() -> cluster.server().find(ResourceType.NAMESPACES, TEAM).isEmpty());
    assertThat(cluster.server().list(ResourceType.PODS)).isEmpty();
    assertThat(cluster.server().list(ResourceType.CONFIG_MAPS)).hasSize(1);
  }

  @Test
  void namespaceWaitsForFinalizersAndSaysSo() {
    ObjectNode held = TestCluster.object("team", "held");
    held.withObject("/metadata").putArray("finalizers").add("example.org/hold");
    cluster.server().create(ResourceType.CONFIG_MAPS, held);

    cluster.server().delete(ResourceType.NAMESPACES, TEAM, "Background");

    Await.untilAsserted(
        () ->
            assertThat(conditions())
                .containsEntry(
                    "NamespaceContentRemaining",
                    "True: Some resources are remaining: configmaps. has 1 resource instances")
                .containsEntry(
                    "NamespaceFinalizersRemaining",
                    "True: Some content in the namespace has finalizers remaining:"
                        + " example.org/hold in 1 resource instances")
                .containsEntry(
                    "NamespaceDeletionContentFailure",
                    "False: All content successfully deleted, may be waiting on finalization"));
    ObjectNode live =
        cluster
            .server()
            .find(ResourceType.CONFIG_MAPS, new ObjectKey("team", "held"))
            .orElseThrow();
    live.withObject("/metadata").remove("finalizers");
    cluster.context().client().json(ResourceType.CONFIG_MAPS).update(live);
    Await.until(() -> cluster.server().find(ResourceType.NAMESPACES, TEAM).isEmpty());
  }

  @Test
  void podsGetTheirGracePeriod() {
    ObjectNode pod = TestCluster.object("team", "p");
    pod.putObject("spec").put("nodeName", "node-1");
    cluster.server().create(ResourceType.PODS, pod);
    cluster.server().delete(ResourceType.NAMESPACES, TEAM, "Background");
    Await.until(() -> conditions().containsKey("NamespaceContentRemaining"));

    // The node agent has stopped it.
    cluster
        .context()
        .client()
        .json(ResourceType.PODS)
        .delete(new ObjectKey("team", "p"), DeleteOptions.DEFAULT.withGracePeriod(0));

    Await.until(() -> cluster.server().find(ResourceType.NAMESPACES, TEAM).isEmpty());
  }

  @Test
  void namespaceDoesNotGoWhileOneKindCannotBeListed() {
    cluster.create(ResourceType.PODS, "team", "p");
    try (var _ =
        cluster
            .server()
            .refuse(
                request -> request.target().startsWith("/api/v1/namespaces/team/pods"),
                500,
                "InternalError")) {
      cluster.server().delete(ResourceType.NAMESPACES, TEAM, "Background");

      Await.untilAsserted(
          () ->
              assertThat(conditions())
                  .containsEntry(
                      "NamespaceDeletionContentFailure",
                      "True: Failed to delete all resource types, 1 remaining: pods: made to"
                          + " fail"));
      assertThat(cluster.exists(ResourceType.PODS, "team", "p")).isTrue();
    }
    Await.until(() -> cluster.server().find(ResourceType.NAMESPACES, TEAM).isEmpty());
    assertThat(cluster.exists(ResourceType.PODS, "team", "p")).isFalse();
  }

  @Test
  void anotherLoopFinishesWhatOneBegan() {
    for (int i = 0; i < 50; i++) {
      cluster.create(ResourceType.CONFIG_MAPS, "team", "c" + i);
    }
    try (var _ = cluster.server().mute(request -> request.target().startsWith("/apis/"))) {
      cluster.server().delete(ResourceType.NAMESPACES, TEAM, "Background");
      Await.until(() -> cluster.server().list(ResourceType.CONFIG_MAPS).isEmpty());
      loop.close();
    }
    assertThat(cluster.server().find(ResourceType.NAMESPACES, TEAM)).isPresent();

    loop = new NamespaceTermination(cluster.context(), namespaces);

    Await.until(() -> cluster.server().find(ResourceType.NAMESPACES, TEAM).isEmpty());
  }

  private Map<String, String> conditions() {
    Map<String, String> conditions = new TreeMap<>();
    cluster
        .server()
        .find(ResourceType.NAMESPACES, TEAM)
        .ifPresent(
            namespace -> {
              for (JsonNode condition : namespace.at("/status/conditions")) {
                conditions.put(
                    condition.path("type").asText(),
                    condition.path("status").asText() + ": " + condition.path("message").asText());
              }
            });
    return conditions;
  }
}
