package dev.berth.agent.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.pressure.PodUsage.OfContainer;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.pressure.StorageLimits.Excess;
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
  private static final DiskUsage NONE = DiskUsage.NONE;

  @Test
  void podsThatUseMoreThanTheyAskedForGoFirst() {
    List<EvictionCandidate> pods =
        List.of(
            new EvictionCandidate(pod("within", 0, "1Gi"), memory(900L << 20)),
            new EvictionCandidate(pod("above", 100, "100Mi"), memory(101L << 20)),
            new EvictionCandidate(pod("important", 1000, "0"), memory(500L << 20)),
            new EvictionCandidate(pod("above-more", 100, "100Mi"), memory(300L << 20)));

    assertThat(names(pods, EvictionSignal.MEMORY))
        .containsExactly("above-more", "above", "important", "within");
  }

  @Test
  void overheadCountsAsAskedFor() {
    Pod inMachine = pod("vm", 0, "100Mi");
    inMachine.getSpec().setOverhead(Map.of("memory", new Quantity("200Mi")));
    List<EvictionCandidate> pods =
        List.of(
            new EvictionCandidate(inMachine, memory(290L << 20)),
            new EvictionCandidate(pod("plain", 0, "100Mi"), memory(110L << 20)));

    assertThat(names(pods, EvictionSignal.MEMORY)).containsExactly("plain", "vm");
  }

  @Test
  void aPodOfWhichNobodyTellsGoesBeforeOthersOfItsPriority() {
    List<EvictionCandidate> pods =
        List.of(
            new EvictionCandidate(pod("known", 0, "0"), memory(1L << 30)),
            new EvictionCandidate(pod("unknown", 0, "0"), null));

    assertThat(names(pods, EvictionSignal.MEMORY)).containsExactly("unknown", "known");
  }

  @Test
  void onADiskOfTheirOwnLayersAndLogsCountWhereTheyAre() {
    EvictionCandidate layers = new EvictionCandidate(pod("layers", 0, "0"), disk(100, 1, 1));
    EvictionCandidate logs = new EvictionCandidate(pod("logs", 0, "0"), disk(1, 50, 1));
    EvictionCandidate volumes = new EvictionCandidate(pod("volumes", 0, "0"), disk(1, 1, 60));
    List<EvictionCandidate> pods = List.of(logs, volumes, layers);

    assertThat(names(pods, EvictionSignal.NODE_DISK)).containsExactly("layers", "volumes", "logs");
    assertThat(EvictionPlan.order(pods, EvictionSignal.NODE_DISK, true))
        .containsExactly(volumes, logs, layers);
    assertThat(EvictionPlan.order(pods, EvictionSignal.IMAGE_DISK, true).getFirst())
        .isEqualTo(layers);
  }

  @Test
  void processesDecideAmongPodsOfOnePriority() {
    List<EvictionCandidate> pods =
        List.of(
            new EvictionCandidate(pod("few", 0, "0"), new PodUsage(0, 3, Map.of(), NONE)),
            new EvictionCandidate(pod("many", 0, "0"), new PodUsage(0, 300, Map.of(), NONE)),
            new EvictionCandidate(pod("important", 1, "0"), new PodUsage(0, 900, Map.of(), NONE)));

    assertThat(names(pods, EvictionSignal.PIDS)).containsExactly("many", "few", "important");
  }

  @Test
  void whatTheSystemNeedsAndStaticPodsStay() {
    Pod fromFile = pod("static", 0, "0");
    fromFile.getMetadata().setAnnotations(Map.of("kubernetes.io/config.source", "file"));
    List<EvictionCandidate> pods =
        List.of(
            new EvictionCandidate(fromFile, memory(1)),
            new EvictionCandidate(pod("critical", 2_000_000_000, "0"), memory(1)),
            new EvictionCandidate(pod("user", 1_999_999_999, "0"), memory(1)));

    assertThat(names(pods, EvictionSignal.MEMORY)).containsExactly("user");
  }

  @Test
  void theMessageNamesTheThresholdAndWhoTakesMost() {
    EvictionCandidate greedy = new EvictionCandidate(pod("greedy", 0, "100Mi"), memory(300L << 20));
    EvictionThreshold threshold = PressureRules.HARD.getFirst();
    SignalReadings readings =
        new SignalReadings(
            Map.of(EvictionSignal.MEMORY, new Reading(50L << 20, 8L << 30)), false, Set.of());

    assertThat(EvictionText.of(greedy, threshold, readings))
        .isEqualTo(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. "
                + "Container main was using 300Mi, request is 100Mi, has larger consumption of"
                + " memory. ");
    assertThat(
            EvictionText.of(
                greedy,
                EvictionThreshold.hard(EvictionSignal.PIDS, new ThresholdValue(100, 0)),
                new SignalReadings(
                    Map.of(EvictionSignal.PIDS, new Reading(7, 1000)), false, Set.of())))
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
    Set<PressureCondition> memory = Set.of(PressureCondition.MEMORY);
    Set<PressureCondition> more = Set.of(PressureCondition.DISK, PressureCondition.MEMORY);

    assertThat(PressureAdmission.refusal(bestEffort, Set.of())).isEmpty();
    assertThat(PressureAdmission.refusal(bestEffort, memory))
        .contains("Pod was rejected: The node had condition: [MemoryPressure]. ");
    assertThat(PressureAdmission.refusal(burstable, memory)).isEmpty();
    assertThat(PressureAdmission.refusal(tolerant, memory)).isEmpty();
    assertThat(PressureAdmission.refusal(burstable, more))
        .contains("Pod was rejected: The node had condition: [MemoryPressure DiskPressure]. ");
    assertThat(PressureAdmission.refusal(pod("critical", 2_000_000_000, "0"), more)).isEmpty();
  }

  private static List<String> names(List<EvictionCandidate> pods, EvictionSignal signal) {
    return EvictionPlan.order(pods, signal, false).stream()
        .map(one -> one.pod().getMetadata().getName())
        .toList();
  }

  private static PodUsage memory(long bytes) {
    return new PodUsage(bytes, 1, Map.of("main", new OfContainer(bytes, NONE, NONE)), NONE);
  }

  private static PodUsage disk(long layer, long logs, long volumes) {
    return new PodUsage(
        0,
        1,
        Map.of("main", new OfContainer(0, new DiskUsage(layer, 1), new DiskUsage(logs, 1))),
        new DiskUsage(volumes, 1));
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
