package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.DiskRoom;
import dev.berth.agent.volumes.DiskUse;
import dev.berth.agent.volumes.Trees;
import java.io.IOException;
import java.nio.file.Path;

/// What a pod has in one of its volumes, and what is left where it lies.
///
/// @param ofNode whether it takes of the node's disk, not of memory
public record VolumeUse(String name, boolean ofNode, DiskUse used, DiskRoom room) {
  /// Walks through all of it.
  public static VolumeUse measure(String name, boolean ofNode, Path folder) throws IOException {
    return new VolumeUse(name, ofNode, Trees.measure(folder), DiskRoom.of(folder));
  }
}
