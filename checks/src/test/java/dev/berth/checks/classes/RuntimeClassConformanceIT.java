package dev.berth.checks.classes;

import static dev.berth.checks.classes.ClassCluster.named;
import static dev.berth.checks.classes.ClassCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What upstream's conformance and scheduling tests of RuntimeClass ask, step by step, with a node
/// that no agent serves: none of these tests needs a container to run.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuntimeClassConformanceIT {
  private ClassCluster cluster;
  private KubernetesClient client;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = ClassCluster.start(directory.resolve("data"));
    client = cluster.client;
    cluster.node("plain", Map.of(), List.of());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void aPodThatAsksForAClassThatNeverWasIsRejected() {
    assertThatThrownBy(() -> client.resource(pod("none", "nonexistent")).dryRun().create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(403))
        .hasMessageContaining("pod rejected: RuntimeClass \"nonexistent\" not found");
  }

  @Test
  void aPodThatAsksForADeletedClassIsRejected() {
    RuntimeClass deleted = cluster.create(named("deleted").build());
    client.resource(deleted).delete();
    assertThat(classes().withName("deleted").get()).isNull();

    assertThatThrownBy(() -> client.resource(pod("gone", "deleted")).dryRun().create())
        .hasMessageContaining("pod rejected: RuntimeClass \"deleted\" not found");
  }

  @Test
  void aPodIsScheduledWithoutOverhead() {
    cluster.create(named("without-overhead").build());

    Pod scheduled = cluster.scheduled(pod("plain", "without-overhead"));

    assertThat(scheduled.getSpec().getOverhead()).isNullOrEmpty();
    assertThat(scheduled.getSpec().getNodeName()).isNotEmpty();
  }

  @Test
  void aPodIsScheduledWithTheOverheadAsItWasWritten() {
    cluster.create(
        named("with-overhead")
            .withNewOverhead()
            .addToPodFixed("cpu", new Quantity("10m"))
            .addToPodFixed("memory", new Quantity("1Mi"))
            .endOverhead()
            .build());

    Pod scheduled = cluster.scheduled(pod("heavy", "with-overhead"));

    assertThat(scheduled.getSpec().getOverhead())
        .containsOnly(
            Map.entry("cpu", new Quantity("10m")), Map.entry("memory", new Quantity("1Mi")));
  }

  @Test
  void allOperationsOfTheApiWork() throws Exception {
    assertThat(client.getApiGroup("node.k8s.io").getVersions())
        .extracting(version -> version.getVersion())
        .contains("v1");
    assertThat(client.getApiResources("node.k8s.io/v1").getResources())
        .extracting(resource -> resource.getName())
        .contains("runtimeclasses");
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (var _ = classes().withLabel("test", "api").watch(recorder(seen))) {
      RuntimeClass first = cluster.create(labelled("api-1"));
      cluster.create(labelled("api-2"));
      cluster.create(labelled("api-3"));
      assertThatThrownBy(() -> cluster.create(labelled("api-1")))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
      assertThat(revision(Objects.requireNonNull(classes().withName("api-1").get()))).isPositive();
      assertThat(classes().withLabel("test", "api").list().getItems()).hasSize(3);

      RuntimeClass patched =
          classes()
              .withName("api-1")
              .patch(
                  PatchContext.of(PatchType.JSON_MERGE),
                  "{\"metadata\":{\"annotations\":{\"patched\":\"true\"}}}");
      assertThat(patched.getMetadata().getAnnotations()).containsEntry("patched", "true");
      assertThat(revision(patched)).isGreaterThan(revision(first));
      patched.getMetadata().getAnnotations().put("updated", "true");
      RuntimeClass updated = client.resource(patched).update();
      assertThat(updated.getMetadata().getAnnotations()).containsEntry("updated", "true");

      assertThat(List.of(next(seen), next(seen), next(seen), next(seen), next(seen)))
          .containsExactly(
              "ADDED api-1", "ADDED api-2", "ADDED api-3", "MODIFIED api-1", "MODIFIED api-1");
    }
    classes().withName("api-1").delete();
    assertThat(classes().withName("api-1").get()).isNull();
    classes().withLabel("test", "api").delete();
    assertThat(classes().withLabel("test", "api").list().getItems()).isEmpty();
  }

  @Test
  void aConflictingNodeSelectorIsRejected() {
    cluster.create(
        named("conflicting")
            .withNewScheduling()
            .addToNodeSelector("foo", "conflict")
            .endScheduling()
            .build());
    Pod pod = pod("conflict", "conflicting");
    pod.getSpec().setNodeSelector(Map.of("foo", "bar"));

    assertThatThrownBy(() -> client.resource(pod).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(403))
        .hasMessageContaining("conflict: runtimeClass.scheduling.nodeSelector[foo] = conflict");
  }

  @Test
  void aPodGoesWhereSelectorAndTolerationOfItsClassLeadIt() {
    cluster.node("tainted", Map.of("foo", "bar", "fizz", "buzz"), List.of(taint("foo", "bar")));
    cluster.create(
        named("scheduling")
            .withNewScheduling()
            .addToNodeSelector("foo", "bar")
            .addToNodeSelector("fizz", "buzz")
            .addToTolerations(
                new TolerationBuilder()
                    .withKey("foo")
                    .withOperator("Equal")
                    .withValue("bar")
                    .withEffect("NoSchedule")
                    .build())
            .endScheduling()
            .build());
    Pod pod = pod("led", "scheduling");
    pod.getSpec().setNodeSelector(Map.of("foo", "bar"));

    Pod scheduled = cluster.scheduled(pod);

    assertThat(scheduled.getSpec().getNodeName()).isEqualTo("tainted");
    assertThat(scheduled.getSpec().getNodeSelector())
        .containsOnly(Map.entry("foo", "bar"), Map.entry("fizz", "buzz"));
    assertThat(scheduled.getSpec().getTolerations())
        .anySatisfy(toleration -> assertThat(toleration.getKey()).isEqualTo("foo"));
  }

  /// Upstream's test of predicates: two pods that would fit do not when each brings overhead.
  @Test
  void overheadOfAnExtendedResourceCountsAgainstTheNode() {
    String beard = "example.com/beardsecond";
    cluster.node("bearded", Map.of("test", "overhead"), List.of());
    client
        .nodes()
        .withName("bearded")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"status\":{\"capacity\":{\"%s\":\"1000\"},\"allocatable\":{\"%s\":\"1000\"}}}"
                .formatted(beard, beard));
    cluster.create(
        named("bearded")
            .withNewOverhead()
            .addToPodFixed(beard, new Quantity("250"))
            .endOverhead()
            .withNewScheduling()
            .addToNodeSelector("test", "overhead")
            .endScheduling()
            .build());

    cluster.scheduled(asking("first", beard, "350"));

    assertThat(cluster.unschedulable(asking("second", beard, "350")))
        .contains("Insufficient " + beard);
  }

  private static Pod asking(String name, String resource, String amount) {
    return new PodBuilder(pod(name, "bearded"))
        .editSpec()
        .editFirstContainer()
        .withNewResources()
        .addToRequests(resource, new Quantity(amount))
        .addToLimits(resource, new Quantity(amount))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private static Taint taint(String key, String value) {
    return new TaintBuilder().withKey(key).withValue(value).withEffect("NoSchedule").build();
  }

  private NonNamespaceOperation<RuntimeClass, RuntimeClassList, Resource<RuntimeClass>> classes() {
    return client.resources(RuntimeClass.class, RuntimeClassList.class);
  }

  private static RuntimeClass labelled(String name) {
    return named(name).editMetadata().addToLabels("test", "api").endMetadata().build();
  }

  private static BigInteger revision(RuntimeClass one) {
    return new BigInteger(one.getMetadata().getResourceVersion());
  }

  private static String next(BlockingQueue<String> seen) throws InterruptedException {
    String event = seen.poll(120, TimeUnit.SECONDS);
    return event == null ? "nothing in 30 s" : event;
  }

  private static Watcher<RuntimeClass> recorder(BlockingQueue<String> seen) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, RuntimeClass one) {
        seen.add(action + " " + one.getMetadata().getName());
      }

      @Override
      public void onClose(WatcherException cause) {
        seen.add("closed: " + cause);
      }
    };
  }
}
