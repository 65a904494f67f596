package dev.berth.controllers.replicasets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.client.ObjectKey;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.WorkloadPod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReplicaPlanTest {
  private static final Instant LONG_AGO = Instant.parse("2024-01-01T00:00:00Z");
  private static final Instant LATELY = Instant.parse("2024-01-02T00:00:00Z");

  private static WorkloadPod pod(String name, String node, String phase, Instant readySince) {
    return pod(name, node, phase, readySince, LONG_AGO, 0, 0);
  }

  private static WorkloadPod pod(
      String name,
      String node,
      String phase,
      Instant readySince,
      Instant created,
      int restarts,
      int cost) {
    return new WorkloadPod(
        identity(name, false), node, node, phase, readySince, created, restarts, cost);
  }

  private static ObjectIdentity identity(String name, boolean deleting) {
    return new ObjectIdentity(
        new ObjectKey("default", name),
        "uid-" + name,
        "1",
        Map.of(),
        JsonNodeFactory.instance.arrayNode(),
        deleting);
  }

  private static WorkloadPod ready(String name) {
    return pod(name, "node-of-" + name, "Running", LONG_AGO);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "3, 1, 2", "3, 3, 0", "600, 0, 500"})
  void missingPodsAreMadeButNotTooManyAtOnce(int wanted, int there, int create) {
    List<WorkloadPod> pods = IntStream.range(0, there).mapToObj(i -> ready("p" + i)).toList();

    assertThat(ReplicaPlan.of(wanted, pods)).isEqualTo(new ReplicaPlan(create, List.of()));
  }

  @Test
  void podsThatAreFinishedOrGoingAreReplaced() {
    WorkloadPod failed = pod("failed", "a", "Failed", Instant.MAX);
    WorkloadPod going =
        new WorkloadPod(identity("going", true), "a", "a", "Running", LONG_AGO, LONG_AGO, 0, 0);

    assertThat(ReplicaPlan.of(2, List.of(failed, going, ready("p"))))
        .isEqualTo(new ReplicaPlan(1, List.of()));
  }

  @Test
  void thePodThatIsMissedLeastGoesFirst() {
    List<WorkloadPod> inOrder =
        List.of(
            pod("unplaced", "", "Pending", Instant.MAX),
            pod("pending", "a", "Pending", Instant.MAX),
            pod("lost", "b", "Unknown", Instant.MAX),
            pod("sick", "c", "Running", Instant.MAX),
            pod("cheap", "d", "Running", LONG_AGO, LONG_AGO, 0, -1),
            pod("beside-others", "crowded", "Running", LONG_AGO),
            pod("ready-lately", "e", "Running", LATELY),
            pod("restarting", "f", "Running", LONG_AGO, LONG_AGO, 3, 0),
            pod("young", "g", "Running", LONG_AGO, LATELY, 0, 0),
            pod("old", "h", "Running", LONG_AGO),
            pod("dear", "crowded", "Running", LONG_AGO, LONG_AGO, 0, 5));
    for (int gone = 1; gone < inOrder.size() - 1; gone++) {
      assertThat(ReplicaPlan.of(inOrder.size() - gone, inOrder.reversed()).delete())
          .containsExactlyElementsOf(inOrder.subList(0, gone));
    }
  }
}
