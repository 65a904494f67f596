package dev.berth.agent.pressure;

import dev.berth.agent.files.DiskUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a pod uses.
///
/// @param memory bytes that it works with as a whole, with its sandbox and what its runtime needs
/// @param containers by name
/// @param volumes those on the node's disk that end with the pod
public record PodUsage(
    long memory, long processes, Map<String, OfContainer> containers, DiskUsage volumes) {
  /// Of one container.
  ///
  /// @param layer what it wrote beside its volumes
  public record OfContainer(long memory, DiskUsage layer, DiskUsage logs) {}

  public PodUsage {
    containers = new LinkedHashMap<>(containers);
  }

  /// Of everything that ends with the pod.
  DiskUsage disk(boolean withLayers, boolean withRest) {
    DiskUsage sum = withRest ? volumes : DiskUsage.NONE;
    for (OfContainer one : containers.values()) {
      sum = withLayers ? sum.plus(one.layer()) : sum;
      sum = withRest ? sum.plus(one.logs()) : sum;
    }
    return sum;
  }
}
