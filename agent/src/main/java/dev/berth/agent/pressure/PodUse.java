package dev.berth.agent.pressure;

import dev.berth.agent.volumes.DiskUse;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a pod uses.
///
/// @param memory bytes that it works with as a whole, with its sandbox and what its runtime needs
/// @param containers by name
/// @param volumes those on the node's disk that end with the pod
public record PodUse(
    long memory, long processes, Map<String, OfContainer> containers, DiskUse volumes) {
  /// Of one container.
  ///
  /// @param layer what it wrote beside its volumes
  public record OfContainer(long memory, DiskUse layer, DiskUse logs) {}

  public PodUse {
    containers = new LinkedHashMap<>(containers);
  }

  /// Of everything that ends with the pod.
  DiskUse disk(boolean withLayers, boolean withRest) {
    DiskUse sum = withRest ? volumes : DiskUse.NONE;
    for (OfContainer one : containers.values()) {
      sum = withLayers ? sum.plus(one.layer()) : sum;
      sum = withRest ? sum.plus(one.logs()) : sum;
    }
    return sum;
  }
}
