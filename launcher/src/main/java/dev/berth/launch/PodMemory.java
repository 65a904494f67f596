package dev.berth.launch;

import dev.berth.agent.volumes.LinuxMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where an agent keeps secrets of pods: in memory, never on the disk.
final class PodMemory {
  private PodMemory() {}

  /// @param agent the agent's folder
  static Path of(Path agent) {
    return agent.resolve("memory");
  }

  /// Gives it back, unless pods of a runtime that is not ours still use it.
  static void release(Path agent) throws IOException {
    Path folder = of(agent);
    if (!Files.isDirectory(folder)) {
      return;
    }
    boolean isFree;
    try (Stream<Path> pods = Files.list(folder)) {
      isFree = pods.findAny().isEmpty();
    }
    if (isFree) {
      new LinuxMounts().unmountBelow(folder);
    }
  }
}
