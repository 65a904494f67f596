package dev.berth.agent.pressure;

import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodSource;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// A pod that may be evicted.
///
/// @param use null when no service reports it
public record EvictionCandidate(Pod pod, @Nullable PodUsage use) {
  /// Upstream's `scheduling.SystemCriticalPriority`: pods from here on are not evicted.
  private static final int SYSTEM_CRITICAL = 2_000_000_000;

  /// Critical pods, and static pods, which no controller would start again.
  public static boolean isCritical(Pod pod) {
    return PodSource.isStatic(pod) || PodSource.isMirror(pod) || priority(pod) >= SYSTEM_CRITICAL;
  }

  static int priority(Pod pod) {
    Integer priority = pod.getSpec().getPriority();
    return priority == null ? 0 : priority;
  }

  /// The usage above the request; the whole usage of a resource that cannot be requested.
  long excess(EvictionSignal signal, boolean hasImageDisk) {
    return used(signal, hasImageDisk)
        - PodResources.requestsWithOverhead(PodView.of(pod)).orZero(signal.resource()).value();
  }

  private long used(EvictionSignal signal, boolean hasImageDisk) {
    if (use == null) {
      return Long.MAX_VALUE;
    }
    return switch (signal) {
      case MEMORY -> use.memory();
      case PIDS -> use.processes();
      case NODE_DISK -> use.disk(!hasImageDisk, true).bytes();
      case NODE_INODES -> use.disk(!hasImageDisk, true).inodes();
      case IMAGE_DISK -> use.disk(true, !hasImageDisk).bytes();
      case IMAGE_INODES -> use.disk(true, !hasImageDisk).inodes();
    };
  }
}
