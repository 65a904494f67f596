package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.programs.ContainerdException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The directory of one private containerd: its configuration, socket, log, images and containers.
record ContainerdDirectory(Path path) {
  /// The kernel's limit is 108 bytes with a terminating zero; containerd adds a suffix for a second
  /// socket.
  private static final int LONGEST_SOCKET = 107 - ".ttrpc".length();

  ContainerdDirectory {
    if (socketOf(path).toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET) {
      throw new ContainerdException(
          new Problem(
              "containerd cannot start in " + path,
              "the path of a Unix socket has at most %d characters".formatted(LONGEST_SOCKET),
              "Choose a shorter --data-dir"));
    }
  }

  private static Path socketOf(Path path) {
    return path.resolve("cri.sock");
  }

  Path socket() {
    return socketOf(path);
  }

  Path config() {
    return path.resolve("config.toml");
  }

  Path root() {
    return path.resolve("root");
  }

  Path state() {
    return path.resolve("state");
  }

  /// The directory in which the low-level runtimes keep the state of containers, one subdirectory
  /// per handler, namespace and container.
  Path containers() {
    return path.resolve("containers");
  }

  /// Whether any container of a pod exists, running or not.
  boolean hasContainers() throws IOException {
    if (!Files.isDirectory(containers())) {
      return false;
    }
    // Read from the file system, so that the answer does not need a running containerd.
    try (Stream<Path> files = Files.walk(containers(), 3)) {
      return files.anyMatch(file -> file.getNameCount() == containers().getNameCount() + 3);
    }
  }

  Path log() {
    return path.resolve("containerd.log");
  }
}
