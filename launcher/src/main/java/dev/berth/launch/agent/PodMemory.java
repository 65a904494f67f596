package dev.berth.launch.agent;

import dev.berth.agent.volumes.mounts.LinuxMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where an agent keeps secrets of pods: in memory, never on the disk.
final class PodMemory {
  private PodMemory() {}

  /// @param agent the agent's directory
  static Path of(Path agent) {
    return agent.resolve("memory");
  }

  /// Gives it back, whether or not the runtimes of its pods answer: containers that run on have
  /// mounts of their own of what they use, and no secret outlives the node in the mount table.
  static void release(Path agent) throws IOException {
    if (Files.isDirectory(of(agent))) {
      new LinuxMounts().unmountBelow(of(agent));
    }
  }

  /// Gives it back when an agent ends that has no pods.
  static void releaseEmpty(Path agent) throws IOException {
    if (Files.isDirectory(of(agent)) && isEmpty(of(agent))) {
      new LinuxMounts().unmountBelow(of(agent));
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> pods = Files.list(directory)) {
      return pods.findAny().isEmpty();
    }
  }
}
