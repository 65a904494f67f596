package dev.berth.controllers.gc;

import static dev.berth.controllers.TestCluster.object;
import static dev.berth.controllers.TestCluster.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GarbageCollectorTest {
  private static final ResourceType SETS = ResourceType.REPLICA_SETS;
  private static final ResourceType PODS = ResourceType.PODS;
  private static final ResourceType CLASSES = ResourceType.RUNTIME_CLASSES;

  private final TestCluster cluster = new TestCluster();
  private final GarbageCollector collector = new GarbageCollector(cluster.context());

  @AfterEach
  void close() {
    collector.close();
    cluster.close();
  }

  @Test
  void dependentsOfADeletedOwnerGoWithAllBelowThem() {
    ObjectNode top = cluster.create(SETS, "default", "top");
    ObjectNode middle = create(SETS, ownedBy(object("default", "middle"), top, true));
    create(PODS, ownedBy(object("default", "bottom"), middle, true));
    cluster.create(PODS, "default", "other");

    delete(SETS, "top", "Background");

    Await.until(() -> !cluster.exists(PODS, "default", "bottom"));
    assertThat(cluster.exists(SETS, "default", "middle")).isFalse();
    assertThat(cluster.exists(PODS, "default", "other")).isTrue();
  }

  @Test
  void objectWithAnotherOwnerStaysAndForgetsTheOneThatIsGone() {
    ObjectNode first = cluster.create(SETS, "default", "first");
    ObjectNode second = cluster.create(SETS, "default", "second");
    create(PODS, ownedBy(ownedBy(object("default", "p"), first, true), second, true));

    delete(SETS, "first", "Background");

    Await.untilAsserted(
        () ->
            assertThat(find(PODS, "p").at("/metadata/ownerReferences"))
                .extracting(reference -> reference.path("name").asText())
                .containsExactly("second"));
  }

  @Test
  void foregroundDeletionRemovesDependentsBeforeTheOwner() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    ObjectNode held = ownedBy(object("default", "held"), owner, true);
    held.withObject("/metadata").putArray("finalizers").add("example.org/hold");
    create(PODS, held);
    create(PODS, ownedBy(object("default", "loose"), owner, false));

    delete(SETS, "owner", "Foreground");

    Await.until(() -> !cluster.exists(PODS, "default", "loose"));
    Await.until(() -> find(PODS, "held").at("/metadata/deletionTimestamp").isTextual());
    assertThat(cluster.exists(SETS, "default", "owner")).isTrue();

    ObjectNode live = find(PODS, "held");
    live.withObject("/metadata").remove("finalizers");
    cluster.context().client().json(PODS).update(live);

    Await.until(() -> !cluster.exists(SETS, "default", "owner"));
    assertThat(cluster.exists(PODS, "default", "held")).isFalse();
  }

  @Test
  void dependentsThatTheWatchHasNotShownYetAreNotOverlooked() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    ObjectNode orphaning = cluster.create(SETS, "default", "orphaning");
    Await.until(() -> collector.size() == 3);
    try (var _ = cluster.server().mute(request -> request.target().startsWith("/api/v1/pods"))) {
      cluster.server().cutWatches(ResourceType.PODS);
      ObjectNode held = ownedBy(object("default", "held"), owner, true);
      held.withObject("/metadata").putArray("finalizers").add("example.org/hold");
      create(PODS, held);
      create(PODS, ownedBy(object("default", "orphan"), orphaning, true));

      delete(SETS, "owner", "Foreground");
      delete(SETS, "orphaning", "Orphan");

      Await.until(() -> !cluster.exists(SETS, "default", "orphaning"));
      Await.until(() -> collector.stats().failing() > 0);
      assertThat(find(PODS, "orphan").at("/metadata/ownerReferences")).isEmpty();
      assertThat(cluster.exists(SETS, "default", "owner")).isTrue();
    }
    Await.until(() -> find(PODS, "held").at("/metadata/deletionTimestamp").isTextual());
    assertThat(cluster.exists(SETS, "default", "owner")).isTrue();
  }

  @Test
  void ownerDoesNotWaitForDependentsThatDoNotBlockIt() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    ObjectNode held = ownedBy(object("default", "held"), owner, false);
    held.withObject("/metadata").putArray("finalizers").add("example.org/hold");
    create(PODS, held);

    delete(SETS, "owner", "Foreground");

    Await.until(() -> !cluster.exists(SETS, "default", "owner"));
  }

  @Test
  void circleOfOwnersIsDeletedInTheForeground() {
    ObjectNode a = cluster.create(SETS, "default", "a");
    ObjectNode b = create(SETS, ownedBy(object("default", "b"), a, true));
    ObjectNode live = find(SETS, "a");
    cluster.context().client().json(SETS).update(ownedBy(live, b, true));

    delete(SETS, "a", "Foreground");

    Await.until(
        () -> !cluster.exists(SETS, "default", "a") && !cluster.exists(SETS, "default", "b"));
  }

  @Test
  void orphansStayAndForgetTheirOwner() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    create(PODS, ownedBy(object("default", "a"), owner, true));
    create(PODS, ownedBy(object("default", "b"), owner, true));

    delete(SETS, "owner", "Orphan");

    Await.until(() -> !cluster.exists(SETS, "default", "owner"));
    assertThat(find(PODS, "a").at("/metadata/ownerReferences")).isEmpty();
    assertThat(find(PODS, "b").at("/metadata/ownerReferences")).isEmpty();
  }

  @Test
  void objectThatNamesAnOwnerThatNeverWasIsDeleted() {
    create(PODS, ownedBy(object("default", "p"), "apps/v1", "ReplicaSet", "gone", "uid-x", true));

    Await.until(() -> !cluster.exists(PODS, "default", "p"));
  }

  @Test
  void uidDecidesNotTheName() {
    cluster.create(SETS, "default", "owner");
    create(PODS, ownedBy(object("default", "p"), "apps/v1", "ReplicaSet", "owner", "old", true));

    Await.until(() -> !cluster.exists(PODS, "default", "p"));
    assertThat(cluster.exists(SETS, "default", "owner")).isTrue();
  }

  @Test
  void ownerInAnotherNamespaceDoesNotCount() {
    cluster.server().createNamespace("team");
    ObjectNode owner = cluster.create(SETS, "team", "owner");
    create(PODS, ownedBy(object("default", "p"), owner, true));
    create(PODS, ownedBy(object("team", "p"), owner, true));

    Await.until(() -> !cluster.exists(PODS, "default", "p"));
    assertThat(cluster.exists(PODS, "team", "p")).isTrue();
  }

  @Test
  void whoNamesAnOwnerInAnotherNamespaceIsToldOnce() {
    cluster.server().createNamespace("team");
    ObjectNode owner = cluster.create(SETS, "team", "owner");
    Await.until(() -> collector.size() == 3);
    String uid = owner.at("/metadata/uid").asText();
    ObjectNode good = cluster.create(SETS, "default", "good");
    create(PODS, ownedBy(ownedBy(object("default", "p"), owner, true), good, true));
    create(CLASSES, ownedBy(object("", "odd"), owner, true));

    Await.until(() -> cluster.server().list(ResourceType.EVENTS).size() == 2);
    assertThat(cluster.server().list(ResourceType.EVENTS))
        .allSatisfy(
            event -> {
              assertThat(event.path("reason").asText()).isEqualTo("OwnerRefInvalidNamespace");
              assertThat(event.path("type").asText()).isEqualTo("Warning");
              assertThat(event.at("/source/component").asText())
                  .isEqualTo("garbage-collector-controller");
            })
        .extracting(
            event ->
                event.at("/involvedObject/kind").asText() + ": " + event.path("message").asText())
        .containsExactlyInAnyOrder(
            ("Pod: ownerRef [apps/v1/ReplicaSet, namespace: default, name: owner, uid: %s]"
                    + " does not exist in namespace \"default\"")
                .formatted(uid),
            ("RuntimeClass: ownerRef [apps/v1/ReplicaSet, namespace: , name: owner, uid: %s]"
                    + " does not exist in namespace \"\"")
                .formatted(uid));
    delete(SETS, "good", "Background");
    Await.until(() -> !cluster.exists(PODS, "default", "p"));
    assertThat(cluster.server().list(ResourceType.EVENTS)).hasSize(2);
  }

  @Test
  void clusterScopedOwnerOwnsInEveryNamespace() {
    ObjectNode owner = cluster.create(CLASSES, "", "owner");
    create(PODS, ownedBy(object("default", "p"), owner, true));
    ObjectNode lone = create(PODS, ownedBy(object("default", "q"), "v1", "Pod", "no", "n", true));
    Await.until(() -> !cluster.exists(PODS, "default", "q"));
    assertThat(lone).isNotNull();
    assertThat(cluster.exists(PODS, "default", "p")).isTrue();

    cluster.server().delete(CLASSES, ObjectKey.clusterScoped("owner"), "Background");

    Await.until(() -> !cluster.exists(PODS, "default", "p"));
  }

  @Test
  void clusterScopedObjectWithANamespacedOwnerIsLeftAlone() {
    create(CLASSES, ownedBy(object("", "odd"), "v1", "Pod", "p", "gone", true));
    create(PODS, ownedBy(object("default", "marker"), "v1", "Pod", "p", "gone", true));

    Await.until(() -> !cluster.exists(PODS, "default", "marker"));
    Await.until(() -> collector.stats().depth() == 0 && collector.stats().running() == 0);
    assertThat(cluster.exists(CLASSES, "", "odd")).isTrue();
  }

  @Test
  void nothingIsDeletedWhileTheServerDoesNotSayWhetherTheOwnerIsThere() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    AtomicInteger asked = new AtomicInteger();
    var fault =
        cluster
            .server()
            .refuse(
                request -> {
                  boolean about = request.target().endsWith("/replicasets/owner");
                  if (about) {
                    asked.incrementAndGet();
                  }
                  return about;
                },
                500,
                "InternalError");
    create(PODS, ownedBy(object("default", "p"), "apps/v1", "ReplicaSet", "owner", "x", true));
    create(PODS, ownedBy(object("default", "q"), owner, true));

    Await.until(() -> asked.get() > 3);
    assertThat(cluster.exists(PODS, "default", "p")).isTrue();
    fault.close();

    Await.until(() -> !cluster.exists(PODS, "default", "p"));
    assertThat(cluster.exists(PODS, "default", "q")).isTrue();
  }

  @Test
  void ownerOfAKindThatIsNotOfferedIsNotAbsent() {
    create(PODS, ownedBy(object("default", "p"), "example.org/v1", "Thing", "t", "x", true));
    create(PODS, ownedBy(object("default", "marker"), "v1", "Pod", "p", "gone", true));

    Await.until(() -> !cluster.exists(PODS, "default", "marker"));
    Await.until(() -> collector.stats().failing() > 0);

    assertThat(cluster.exists(PODS, "default", "p")).isTrue();
  }

  @Test
  void thousandDependentsOfOneOwnerGo() {
    ObjectNode owner = cluster.create(SETS, "default", "owner");
    for (int i = 0; i < 1000; i++) {
      create(PODS, ownedBy(object("default", "p" + i), owner, true));
    }

    delete(SETS, "owner", "Background");

    Await.until(() -> cluster.server().list(PODS).isEmpty());
  }

  private ObjectNode create(ResourceType type, ObjectNode object) {
    return cluster.server().create(type, object);
  }

  private ObjectNode find(ResourceType type, String name) {
    return cluster.server().find(type, new ObjectKey("default", name)).orElseThrow();
  }

  private void delete(ResourceType type, String name, String policy) {
    cluster.server().delete(type, new ObjectKey("default", name), policy);
  }
}
