package dev.berth.launch.agent;

import dev.berth.agent.volumes.mounts.LinuxMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The directory in which an agent keeps secrets of pods. It consists of tmpfs mounts: secrets are
/// in memory, never on the disk.
final class PodMemory {
  private PodMemory() {}

  /// The directory of an agent.
  ///
  /// @param agent the agent's directory
  static Path of(Path agent) {
    return agent.resolve("memory");
  }

  /// Unmounts all of it, whether or not the runtimes of its pods answer. Containers that still run
  /// have mounts of their own, and no secret outlives the node in the mount table.
  static void release(Path agent) throws IOException {
    if (Files.isDirectory(of(agent))) {
      new LinuxMounts().unmountBelow(of(agent));
    }
  }

  /// Unmounts it when an agent ends that has no pods. With pods it stays, because they keep
  /// running.
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
