package dev.berth.controllers.workloads;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import dev.berth.controllers.deployments.DeploymentController;
import dev.berth.controllers.replicasets.ReplicaSets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// ReplicaSets and Deployments on an API server in memory, whose pods become ready as the test
/// says.
final class WorkloadsTest {
  private static final String SPEC =
      """
      {"replicas": %d, "selector": {"matchLabels": {"app": "web"}},
       "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "%s"}]}}}
      """;

  private final TestCluster cluster = new TestCluster();
  private final Informer<ObjectNode> sets =
      cluster
          .context()
          .informer(cluster.context().client().json(ResourceType.REPLICA_SETS), ListQuery.ALL);
  private final PodCache pods = new PodCache(cluster.context());
  private final ReplicaSets replicaSets = new ReplicaSets(cluster.context(), sets, pods);
  private final DeploymentController deployments =
      new DeploymentController(cluster.context(), sets, pods);

  @AfterEach
  void stop() {
    deployments.close();
    replicaSets.close();
    pods.close();
    sets.close();
    cluster.close();
  }

  private ObjectNode create(ResourceType type, String name, String spec) {
    ObjectNode object = TestCluster.object("default", name);
    object.set("spec", json(spec));
    return cluster.server().create(type, object);
  }

  private List<ObjectNode> pods() {
    return cluster.server().list(ResourceType.PODS);
  }

  private void patch(ResourceType type, String name, String patch) {
    cluster
        .context()
        .client()
        .json(type)
        .patch(new ObjectKey("default", name), ObjectPatch.merge(json(patch)));
  }

  private void allBecomeReady() {
    for (ObjectNode pod : pods()) {
      if (pod.path("status").isEmpty()) {
        cluster
            .context()
            .client()
            .json(ResourceType.PODS)
            .patch(
                new ObjectKey("default", pod.at("/metadata/name").asText()),
                ObjectPatch.merge(
                    json(
                        """
                        {"status": {"phase": "Running", "conditions":
                          [{"type": "Ready", "status": "True", "lastTransitionTime": "2024-01-01T00:00:00Z"}]}}
                        """)));
      }
    }
  }

  private JsonNode status(ResourceType type, String name) {
    return cluster.server().find(type, new ObjectKey("default", name)).orElseThrow().path("status");
  }

  private void awaitIdle(WorkQueue.Stats before) {
    Await.until(
        () -> {
          WorkQueue.Stats now = replicaSets.stats();
          return now.added() > before.added() && now.depth() == 0 && now.running() == 0;
        });
  }

  @Test
  void aSetHasAsManyPodsAsItWantsAndCountsThem() {
    create(ResourceType.REPLICA_SETS, "web", SPEC.formatted(3, "a"));
    Await.untilAsserted(() -> assertThat(pods()).hasSize(3));
    assertThat(pods())
        .allSatisfy(
            pod -> {
              assertThat(pod.at("/metadata/name").asText()).matches("web-[a-z0-9]{5}");
              assertThat(pod.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("web");
            });
    allBecomeReady();
    Await.untilAsserted(
        () ->
            assertThat(status(ResourceType.REPLICA_SETS, "web").path("availableReplicas").asInt())
                .isEqualTo(3));

    patch(ResourceType.REPLICA_SETS, "web", "{\"spec\": {\"replicas\": 1}}");
    Await.untilAsserted(() -> assertThat(pods()).hasSize(1));
  }

  @Test
  void aCacheThatIsBehindMakesNoPodTwice() {
    Await.until(pods.informer()::isSynced);
    var blind =
        cluster
            .server()
            .mute(request -> request.method().equals("GET") && isOfPods(request.target()));
    try (blind) {
      cluster.server().cutWatches(ResourceType.PODS);
      create(ResourceType.REPLICA_SETS, "web", SPEC.formatted(3, "a"));
      Await.untilAsserted(() -> assertThat(pods()).hasSize(3));
      for (int i = 0; i < 3; i++) {
        WorkQueue.Stats before = replicaSets.stats();
        patch(
            ResourceType.REPLICA_SETS,
            "web",
            "{\"metadata\": {\"annotations\": {\"n\": \"%d\"}}}".formatted(i));
        awaitIdle(before);
      }
      assertThat(pods()).hasSize(3);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    allBecomeReady();
    Await.untilAsserted(
        () ->
            assertThat(status(ResourceType.REPLICA_SETS, "web").path("availableReplicas").asInt())
                .isEqualTo(3));
    assertThat(pods()).hasSize(3);
  }

  private static boolean isOfPods(String target) {
    return target.contains("/pods");
  }

  @Test
  void aPodThatNobodyManagesIsAdoptedAndOneThatLostItsLabelsIsReleased() {
    ObjectNode orphan = TestCluster.object("default", "orphan");
    orphan.withObject("/metadata").putObject("labels").put("app", "web");
    cluster.server().create(ResourceType.PODS, orphan);
    Await.until(() -> pods.informer().get(new ObjectKey("default", "orphan")).isPresent());
    create(ResourceType.REPLICA_SETS, "web", SPEC.formatted(2, "a"));

    Await.untilAsserted(() -> assertThat(pods()).hasSize(2));
    Await.untilAsserted(() -> assertThat(ownerOf("orphan")).isEqualTo("web"));

    patch(ResourceType.PODS, "orphan", "{\"metadata\": {\"labels\": {\"app\": \"other\"}}}");
    Await.untilAsserted(() -> assertThat(ownerOf("orphan")).isEmpty());
    Await.untilAsserted(() -> assertThat(pods()).hasSize(3));
  }

  private String ownerOf(String pod) {
    return cluster
        .server()
        .find(ResourceType.PODS, new ObjectKey("default", pod))
        .orElseThrow()
        .at("/metadata/ownerReferences/0/name")
        .asText();
  }

  @Test
  void aChangedTemplateReplacesAllPodsAndTheOldOneCanComeBack() {
    create(ResourceType.DEPLOYMENTS, "web", SPEC.formatted(3, "a"));
    awaitImages("a");
    assertThat(revision()).isEqualTo("1");

    patchImage("b");
    awaitImages("b");
    assertThat(revision()).isEqualTo("2");
    assertThat(cluster.server().list(ResourceType.REPLICA_SETS)).hasSize(2);

    patchImage("a");
    awaitImages("a");
    assertThat(revision()).isEqualTo("3");
    assertThat(cluster.server().list(ResourceType.REPLICA_SETS)).hasSize(2);
    assertThat(cluster.server().list(ResourceType.REPLICA_SETS))
        .extracting(
            set -> set.at("/metadata/annotations/deployment.kubernetes.io~1revision").asText())
        .containsExactlyInAnyOrder("2", "3");
  }

  private String revision() {
    return cluster
        .server()
        .find(ResourceType.DEPLOYMENTS, new ObjectKey("default", "web"))
        .orElseThrow()
        .at("/metadata/annotations/deployment.kubernetes.io~1revision")
        .asText();
  }

  private void patchImage(String image) {
    patch(
        ResourceType.DEPLOYMENTS,
        "web",
        "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"%s\"}]}}}}"
            .formatted(image));
  }

  private void awaitImages(String image) {
    Await.untilAsserted(
        () -> {
          allBecomeReady();
          assertThat(pods())
              .hasSize(3)
              .allSatisfy(
                  pod -> assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo(image));
          JsonNode status = status(ResourceType.DEPLOYMENTS, "web");
          assertThat(status.path("updatedReplicas").asInt()).isEqualTo(3);
          assertThat(status.path("replicas").asInt()).isEqualTo(3);
          assertThat(status.path("availableReplicas").asInt()).isEqualTo(3);
        });
  }

  @Test
  void recreateWaitsForTheLastOldPod() {
    String spec =
        SPEC.formatted(2, "a").replaceFirst("\\{", "{\"strategy\": {\"type\": \"Recreate\"}, ");
    create(ResourceType.DEPLOYMENTS, "web", spec);
    Await.untilAsserted(() -> assertThat(pods()).hasSize(2));
    AtomicInteger mixed = new AtomicInteger();
    cluster
        .server()
        .onRequest(
            request -> {
              if (request.method().equals("POST") && request.target().endsWith("/pods")) {
                long old =
                    pods().stream()
                        .filter(pod -> pod.at("/spec/containers/0/image").asText().equals("a"))
                        .count();
                mixed.addAndGet((int) old);
              }
            });

    patchImage("b");

    Await.untilAsserted(
        () ->
            assertThat(pods())
                .hasSize(2)
                .allSatisfy(
                    pod -> assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo("b")));
    assertThat(mixed).hasValue(0);
  }
}
