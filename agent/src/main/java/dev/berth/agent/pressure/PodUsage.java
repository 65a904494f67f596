package dev.berth.agent.pressure;

import dev.berth.agent.files.DiskUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/// The usage of a pod.
///
/// @param memory the working set in bytes as a whole, with sandbox and runtime
/// @param containers by name
/// @param volumes those on the node's disk that end with the pod
public record PodUsage(
    long memory, long processes, Map<String, OfContainer> containers, DiskUsage volumes) {
  /// The usage of one container.
  ///
  /// @param layer its writable layer
  public record OfContainer(long memory, DiskUsage layer, DiskUsage logs) {}

  public PodUsage {
    containers = new LinkedHashMap<>(containers);
  }

  /// The disk usage of everything that ends with the pod.
  DiskUsage disk(boolean withLayers, boolean withRest) {
    DiskUsage sum = withRest ? volumes : DiskUsage.NONE;
    for (OfContainer one : containers.values()) {
      sum = withLayers ? sum.plus(one.layer()) : sum;
      sum = withRest ? sum.plus(one.logs()) : sum;
    }
    return sum;
  }
}
