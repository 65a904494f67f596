package dev.berth.scheduler.cluster;

import dev.berth.api.pods.HostPort;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.ResourceVector;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// The resources that the pods of a node take; nodes of one shape with equal use are
/// interchangeable for most pods.
///
/// @param cpu and
/// @param memory with what pods that request nothing are assumed to take, for scores
public record NodeAllocation(
    ResourceVector requests, long cpu, long memory, int pods, Set<HostPort> ports) {
  static final NodeAllocation NONE = new NodeAllocation(ResourceVector.NONE, 0, 0, 0, Set.of());

  NodeAllocation plus(PodInfo pod) {
    Set<HostPort> taken = ports;
    if (!pod.ports().isEmpty()) {
      taken = new TreeSet<>(ports);
      taken.addAll(pod.ports());
    }
    return new NodeAllocation(
        requests.plus(pod.requests()),
        cpu + pod.assumedCpu(),
        memory + pod.assumedMemory(),
        pods + 1,
        taken);
  }

  /// @param rest the remaining pods
  NodeAllocation minus(PodInfo pod, Collection<PodInfo> rest) {
    Set<HostPort> taken = ports;
    if (!pod.ports().isEmpty()) {
      // Two pods can have the same port when another scheduler bound one of them.
      taken = new TreeSet<>();
      for (PodInfo other : rest) {
        taken.addAll(other.ports());
      }
    }
    return new NodeAllocation(
        requests.minus(pod.requests()),
        cpu - pod.assumedCpu(),
        memory - pod.assumedMemory(),
        pods - 1,
        taken.isEmpty() ? Set.of() : taken);
  }
}
