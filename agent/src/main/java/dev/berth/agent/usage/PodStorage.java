package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The last measured disk usage of a pod.
///
/// @param logs by container
public record PodStorage(Instant time, List<VolumeUsage> volumes, Map<String, DiskUsage> logs) {
  public PodStorage {
    volumes = List.copyOf(volumes);
    logs = Map.copyOf(logs);
  }

  /// The usage of the node's own disk.
  public DiskUsage ofNode() {
    DiskUsage sum = logs.values().stream().reduce(DiskUsage.NONE, DiskUsage::plus);
    for (VolumeUsage volume : volumes) {
      sum = volume.ofNode() ? sum.plus(volume.used()) : sum;
    }
    return sum;
  }
}
