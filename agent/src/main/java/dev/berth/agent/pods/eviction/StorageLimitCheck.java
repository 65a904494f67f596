package dev.berth.agent.pods.eviction;

import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.agent.pressure.PodUsage;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.pressure.StorageLimits;
import dev.berth.agent.pressure.StorageLimits.Excess;
import dev.berth.agent.volumes.PodVolumes;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds pods that use more disk than their own limits allow.
public record StorageLimitCheck(PodVolumes volumes, PodUsageReader meter, PodGuard guard) {
  /// Pods that exceed a limit, with the limit. Pods without limits are not measured.
  Map<Pod, Excess> exceeded(List<Pod> pods, SignalReadings readings) {
    List<Pod> limited =
        pods.stream().filter(pod -> guard.test(pod, () -> StorageLimits.has(pod))).toList();
    Map<String, PodUsage> uses = limited.isEmpty() ? Map.of() : meter.measure(limited);
    Map<Pod, Excess> exceeded = new LinkedHashMap<>();
    for (Pod pod : pods) {
      guard
          .attempt(pod, () -> ofVolumes(pod))
          .or(() -> guard.attempt(pod, () -> ofContainers(pod, uses, readings)))
          .filter(_ -> !EvictionCandidate.isCritical(pod))
          .ifPresent(excess -> exceeded.put(pod, excess));
    }
    return exceeded;
  }

  private Optional<Excess> ofVolumes(Pod pod) {
    return volumes.excess(pod).map(why -> new Excess("emptydirfs.limit", why));
  }

  private static Optional<Excess> ofContainers(
      Pod pod, Map<String, PodUsage> uses, SignalReadings readings) {
    return Optional.ofNullable(uses.get(pod.getMetadata().getUid()))
        .flatMap(use -> StorageLimits.of(pod, use, readings.hasImageDisk()));
  }
}
