package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.VolumeTrees;
import java.io.IOException;
import java.nio.file.Path;

/// What a pod has in one of its volumes, and what is left where it lies.
///
/// @param ofNode whether it takes of the node's disk, not of memory
public record VolumeUsage(String name, boolean ofNode, DiskUsage used, FreeDiskSpace room) {
  /// Walks through all of it.
  public static VolumeUsage measure(String name, boolean ofNode, Path directory)
      throws IOException {
    return new VolumeUsage(
        name, ofNode, VolumeTrees.measure(directory), FreeDiskSpace.of(directory));
  }
}
