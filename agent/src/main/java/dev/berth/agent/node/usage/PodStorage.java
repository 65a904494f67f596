package dev.berth.agent.node.usage;

import dev.berth.agent.volumes.DiskUse;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// What a pod had on the node when that was last measured.
///
/// @param logs by container
public record PodStorage(Instant time, List<VolumeUse> volumes, Map<String, DiskUse> logs) {
  public PodStorage {
    volumes = List.copyOf(volumes);
    logs = Map.copyOf(logs);
  }

  /// Of the node's own disk.
  DiskUse ofNode() {
    DiskUse sum = logs.values().stream().reduce(DiskUse.NONE, DiskUse::plus);
    for (VolumeUse volume : volumes) {
      sum = volume.ofNode() ? sum.plus(volume.used()) : sum;
    }
    return sum;
  }
}
