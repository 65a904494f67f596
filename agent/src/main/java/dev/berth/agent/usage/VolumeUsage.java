package dev.berth.agent.usage;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.VolumeTrees;
import java.io.IOException;
import java.nio.file.Path;

/// The usage of one volume of a pod, and the free space of its disk.
///
/// @param ofNode whether it occupies the node's disk, not memory
public record VolumeUsage(String name, boolean ofNode, DiskUsage used, FreeDiskSpace room) {
  /// Measures the whole directory tree.
  public static VolumeUsage measure(String name, boolean ofNode, Path directory)
      throws IOException {
    return new VolumeUsage(
        name, ofNode, VolumeTrees.measure(directory), FreeDiskSpace.of(directory));
  }
}
