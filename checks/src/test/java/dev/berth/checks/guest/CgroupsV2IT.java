package dev.berth.checks.guest;

import static dev.berth.checks.guest.GuestNode.quantities;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/// Pods of `berth agent` with runc and crun on a kernel that has only control groups of version 2.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CgroupsV2IT {
  private static final String PODS = "/berth/kubepods";

  private GuestNode node;

  @RegisterExtension
  final TestExecutionExceptionHandler console =
      (_, problem) -> {
        throw node.explained(problem);
      };

  /// All pods at once: the guest is slow. The limit of the class is one for tests alone.
  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(Guest.isUsable());
    node = new GuestNode(directory, GuestSystem.SCRIPT, "");
    node.apply(
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: crun}, handler: crun}");
    node.apply(
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: heavy}, handler: runc,"
            + " overhead: {podFixed: {cpu: 200m, memory: 140Mi}}}");
    node.pod("guaranteed", "runtimeClassName: heavy", "{limits: {cpu: 100m, memory: 100Mi}}");
    node.pod(
        "burstable",
        "runtimeClassName: crun",
        "{requests: {cpu: 500m, memory: 20Mi}, limits: {cpu: 800m, memory: 64Mi}}");
    node.pod("besteffort", "", "{}");
    for (String handler : List.of("heavy", "crun")) {
      node.pod(
          "greedy-" + handler,
          "runtimeClassName: %s\n  restartPolicy: Never".formatted(handler),
          "tail /dev/zero; echo survived",
          "{limits: {memory: 20Mi}}");
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void limitsHoldOverheadAndChangeInPlaceUntilThePodGoes() {
    Pod pod = node.awaitPhase("guaranteed", "Running");
    String group = PODS + "/pod" + pod.getMetadata().getUid();
    String container = group + "/" + GuestNode.containerId(pod);
    assertThat(node.limits(group)).isEqualTo("251658240, 30000 100000, 12, max, 0");
    assertThat(node.limits(container)).isEqualTo("104857600, 10000 100000, 4, max, 1");

    node.resize("guaranteed", quantities("150m", "120Mi"), quantities("150m", "120Mi"));
    // The pod's group grows before its containers and shrinks after them.
    node.await("more", () -> node.limits(container).equals("125829120, 15000 100000, 6, max, 1"));
    assertThat(node.limits(group)).isEqualTo("272629760, 35000 100000, 14, max, 0");
    node.resize("guaranteed", quantities("50m", "60Mi"), quantities("50m", "60Mi"));
    node.await("less", () -> node.limits(group).equals("209715200, 25000 100000, 10, max, 0"));
    assertThat(node.limits(container)).isEqualTo("62914560, 5000 100000, 2, max, 1");
    Pod resized = node.awaitPhase("guaranteed", "Running");
    assertThat(resized.getStatus().getContainerStatuses().getFirst().getRestartCount()).isZero();

    node.deleteAndAwait("guaranteed");
    assertThat(node.guest.group(group, "memory.max")).contains("No such file");
  }

  @Test
  void crunHasLimitsAndItsLevelWeighsAsMuchAsItsPods() {
    Pod pod = node.awaitPhase("burstable", "Running");
    String group = PODS + "/burstable/pod" + pod.getMetadata().getUid();
    String container = group + "/" + GuestNode.containerId(pod);
    assertThat(node.limits(group)).isEqualTo("67108864, 80000 100000, 20, max, 0");
    assertThat(node.limits(container)).isEqualTo("67108864, 80000 100000, 20, max, 1");
    assertThat(node.limits(PODS + "/burstable")).startsWith("max, max 100000, ");

    node.resize("burstable", quantities("400m", "20Mi"), quantities("700m", "50Mi"));
    node.await("less", () -> node.limits(group).equals("52428800, 70000 100000, 16, max, 0"));
    assertThat(node.limits(container)).isEqualTo("52428800, 70000 100000, 16, max, 1");
    node.deleteAndAwait("burstable");
    assertThat(node.guest.group(group, "memory.max")).contains("No such file");
  }

  @Test
  void bestEffortPodsWeighTheLeast() {
    Pod pod = node.awaitPhase("besteffort", "Running");
    String group = PODS + "/besteffort/pod" + pod.getMetadata().getUid();

    assertThat(node.limits(PODS + "/besteffort")).isEqualTo("max, max 100000, 1, max, 0");
    assertThat(node.limits(group)).isEqualTo("max, max 100000, 1, max, 0");
    assertThat(node.limits(group + "/" + GuestNode.containerId(pod)))
        .isEqualTo("max, max 100000, 1, max, 1");
  }

  @Test
  void aContainerThatIsOutOfMemoryEndsAsAWhole() {
    for (String handler : List.of("heavy", "crun")) {
      ContainerStateTerminated end =
          node.awaitPhase("greedy-" + handler, "Failed")
              .getStatus()
              .getContainerStatuses()
              .getFirst()
              .getState()
              .getTerminated();
      assertThat(end.getReason()).as(handler).isEqualTo("OOMKilled");
      assertThat(end.getExitCode()).as(handler).isEqualTo(137);
    }
  }

  @Test
  void theNodeTellsWhatPodsUse() {
    node.awaitPhase("besteffort", "Running");
    String metrics = node.nodeAnswer("/metrics/resource");
    String summary = node.nodeAnswer("/stats/summary");

    for (String what : List.of("cpu_usage_seconds_total", "memory_working_set_bytes")) {
      assertThat(metrics)
          .containsPattern(
              "container_%s\\{container=\"main\",namespace=\"default\",pod=\"besteffort\"} (0\\.0*)?[1-9]"
                  .formatted(what));
    }
    assertThat(summary).containsPattern("\"name\":\"besteffort\"[^}]*},.*\"rssBytes\":[1-9]");
  }
}
