package dev.berth.agent.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pressure.PodUse.OfContainer;
import dev.berth.agent.pressure.Readings.Reading;
import dev.berth.agent.pressure.StorageLimits.Excess;
import dev.berth.agent.volumes.DiskUse;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who goes first, and what is said about it.
final class EvictionPlanTest {
  private static final DiskUse NONE = DiskUse.NONE;

  @Test
  void podsThatUseMoreThanTheyAskedForGoFirst() {
    List<Candidate> pods =
        List.of(
            new Candidate(pod("within", 0, "1Gi"), memory(900L << 20)),
            new Candidate(pod("above", 100, "100Mi"), memory(101L << 20)),
            new Candidate(pod("important", 1000, "0"), memory(500L << 20)),
            new Candidate(pod("above-more", 100, "100Mi"), memory(300L << 20)));

    assertThat(names(pods, Signal.MEMORY))
        .containsExactly("above-more", "above", "important", "within");
  }

  @Test
  void overheadCountsAsAskedFor() {
    Pod inMachine = pod("vm", 0, "100Mi");
    inMachine.getSpec().setOverhead(Map.of("memory", new Quantity("200Mi")));
    List<Candidate> pods =
        List.of(
            new Candidate(inMachine, memory(290L << 20)),
            new Candidate(pod("plain", 0, "100Mi"), memory(110L << 20)));

    assertThat(names(pods, Signal.MEMORY)).containsExactly("plain", "vm");
  }

  @Test
  void aPodOfWhichNobodyTellsGoesBeforeOthersOfItsPriority() {
    List<Candidate> pods =
        List.of(
            new Candidate(pod("known", 0, "0"), memory(1L << 30)),
            new Candidate(pod("unknown", 0, "0"), null));

    assertThat(names(pods, Signal.MEMORY)).containsExactly("unknown", "known");
  }

  @Test
  void onADiskOfTheirOwnLayersAndLogsCountWhereTheyAre() {
    Candidate layers = new Candidate(pod("layers", 0, "0"), disk(100, 1, 1));
    Candidate logs = new Candidate(pod("logs", 0, "0"), disk(1, 50, 1));
    Candidate volumes = new Candidate(pod("volumes", 0, "0"), disk(1, 1, 60));
    List<Candidate> pods = List.of(logs, volumes, layers);

    assertThat(names(pods, Signal.NODE_DISK)).containsExactly("layers", "volumes", "logs");
    assertThat(EvictionPlan.order(pods, Signal.NODE_DISK, true))
        .containsExactly(volumes, logs, layers);
    assertThat(EvictionPlan.order(pods, Signal.IMAGE_DISK, true).getFirst()).isEqualTo(layers);
  }

  @Test
  void processesDecideAmongPodsOfOnePriority() {
    List<Candidate> pods =
        List.of(
            new Candidate(pod("few", 0, "0"), new PodUse(0, 3, Map.of(), NONE)),
            new Candidate(pod("many", 0, "0"), new PodUse(0, 300, Map.of(), NONE)),
            new Candidate(pod("important", 1, "0"), new PodUse(0, 900, Map.of(), NONE)));

    assertThat(names(pods, Signal.PIDS)).containsExactly("many", "few", "important");
  }

  @Test
  void whatTheSystemNeedsAndStaticPodsStay() {
    Pod fromFile = pod("static", 0, "0");
    fromFile.getMetadata().setAnnotations(Map.of("kubernetes.io/config.source", "file"));
    List<Candidate> pods =
        List.of(
            new Candidate(fromFile, memory(1)),
            new Candidate(pod("critical", 2_000_000_000, "0"), memory(1)),
            new Candidate(pod("user", 1_999_999_999, "0"), memory(1)));

    assertThat(names(pods, Signal.MEMORY)).containsExactly("user");
  }

  @Test
  void theMessageNamesTheThresholdAndWhoTakesMost() {
    Candidate greedy = new Candidate(pod("greedy", 0, "100Mi"), memory(300L << 20));
    Threshold threshold = PressureRules.HARD.getFirst();
    Readings readings =
        new Readings(Map.of(Signal.MEMORY, new Reading(50L << 20, 8L << 30)), false, Set.of());

    assertThat(EvictionText.of(greedy, threshold, readings))
        .isEqualTo(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. "
                + "Container main was using 300Mi, request is 100Mi, has larger consumption of"
                + " memory. ");
    assertThat(
            EvictionText.of(
                greedy,
                Threshold.hard(Signal.PIDS, new Amount(100, 0)),
                new Readings(Map.of(Signal.PIDS, new Reading(7, 1000)), false, Set.of())))
        .isEqualTo("The node was low on resource: pids. Threshold quantity: 100, available: 7. ");
  }

  @Test
  void storageLimitsOfPodAndContainerAreKept() {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: a, namespace: n}
            spec:
              containers:
              - {name: main, resources: {limits: {ephemeral-storage: 1Ki}}}
              - {name: other, resources: {limits: {ephemeral-storage: 3Ki}}}
            """,
            Pod.class);

    assertThat(StorageLimits.has(pod)).isTrue();
    assertThat(StorageLimits.has(pod("free", 0, "1Gi"))).isFalse();
    assertThat(StorageLimits.of(pod, disk(500, 500, 3000), false)).isEmpty();
    assertThat(StorageLimits.of(pod, disk(500, 500, 3097), false))
        .contains(
            new Excess(
                "ephemeralpodfs.limit",
                "Pod ephemeral local storage usage exceeds the total limit of containers 4Ki. "));
    assertThat(StorageLimits.of(pod, disk(600, 500, 0), false))
        .contains(
            new Excess(
                "ephemeralcontainerfs.limit",
                "Container main exceeded its local ephemeral storage limit \"1Ki\". "));
    assertThat(StorageLimits.of(pod, disk(600, 500, 0), true)).isEmpty();
  }

  @Test
  void underPressureOnlySomePodsAreTaken() {
    Pod bestEffort = pod("best-effort", 0, "0");
    Pod burstable = pod("burstable", 0, "1Mi");
    Pod tolerant =
        Serialization.unmarshal(
            """
            metadata: {name: tolerant, namespace: n}
            spec:
              containers: [{name: main}]
              tolerations: [{key: node.kubernetes.io/memory-pressure, operator: Exists}]
            """,
            Pod.class);
    Set<Pressure> memory = Set.of(Pressure.MEMORY);
    Set<Pressure> more = Set.of(Pressure.DISK, Pressure.MEMORY);

    assertThat(Admission.refusal(bestEffort, Set.of())).isEmpty();
    assertThat(Admission.refusal(bestEffort, memory))
        .contains("Pod was rejected: The node had condition: [MemoryPressure]. ");
    assertThat(Admission.refusal(burstable, memory)).isEmpty();
    assertThat(Admission.refusal(tolerant, memory)).isEmpty();
    assertThat(Admission.refusal(burstable, more))
        .contains("Pod was rejected: The node had condition: [MemoryPressure DiskPressure]. ");
    assertThat(Admission.refusal(pod("critical", 2_000_000_000, "0"), more)).isEmpty();
  }

  private static List<String> names(List<Candidate> pods, Signal signal) {
    return EvictionPlan.order(pods, signal, false).stream()
        .map(one -> one.pod().getMetadata().getName())
        .toList();
  }

  private static PodUse memory(long bytes) {
    return new PodUse(bytes, 1, Map.of("main", new OfContainer(bytes, NONE, NONE)), NONE);
  }

  private static PodUse disk(long layer, long logs, long volumes) {
    return new PodUse(
        0,
        1,
        Map.of("main", new OfContainer(0, new DiskUse(layer, 1), new DiskUse(logs, 1))),
        new DiskUse(volumes, 1));
  }

  private static Pod pod(String name, int priority, @Nullable String memory) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: n, uid: %s}
        spec:
          priority: %d
          containers: [{name: main, resources: {requests: {memory: %s}}}]
        """
            .formatted(name, name, priority, memory),
        Pod.class);
  }
}
