package dev.berth.agent.pods.eviction;

import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.agent.pressure.EvictionPlan;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.PodUsage;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Chooses the pod whose eviction relieves a node that is short of a resource.
public record EvictionChoice(RuntimeServices runtimes, PodUsageReader meter, PodGuard guard) {
  /// The first pod to evict; empty when no eviction relieves the threshold's resource.
  Optional<EvictionCandidate> first(
      List<Pod> pods, EvictionThreshold threshold, SignalReadings readings) {
    EvictionSignal signal = threshold.signal();
    List<Pod> helpful =
        pods.stream()
            .filter(pod -> guard.test(pod, () -> canHelp(pod, signal, readings)))
            // EvictionPlan orders by requests: a pod whose requests cannot be computed fails here,
            // under its own guard, and not the whole order.
            .filter(pod -> guard.test(pod, () -> hasReadableRequest(pod, signal)))
            .toList();
    Map<String, PodUsage> uses = meter.measure(helpful);
    return EvictionPlan.order(
            helpful.stream()
                .map(pod -> new EvictionCandidate(pod, uses.get(pod.getMetadata().getUid())))
                .toList(),
            signal,
            readings.hasImageDisk())
        .stream()
        .findFirst();
  }

  private static boolean hasReadableRequest(Pod pod, EvictionSignal signal) {
    return PodResources.requestsWithOverhead(PodView.of(pod)).orZero(signal.resource()).signum()
        >= 0;
  }

  /// A pod of a service with another disk has nothing on the disk that is short. A pod whose
  /// service is unknown for now is not evicted for a single disk.
  private boolean canHelp(Pod pod, EvictionSignal signal, SignalReadings readings) {
    return !isOfOneDisk(signal, readings)
        || runtimes
            .imageServiceOf(pod.getMetadata().getUid())
            .filter(images -> isOn(images, signal, readings))
            .isPresent();
  }

  /// Whether an image service stores its images on the disk that is short.
  static boolean isOn(ImageService images, EvictionSignal signal, SignalReadings readings) {
    return !isOfOneDisk(signal, readings) || readings.onImageDisk().contains(images.endpoint());
  }

  private static boolean isOfOneDisk(EvictionSignal signal, SignalReadings readings) {
    return signal.isOfImages() && !readings.onImageDisk().isEmpty();
  }
}
