package dev.berth.launch.vm;

import java.nio.file.Path;

/// The directory of a node's VM runtime.
public record VmDirectory(Path path) {
  /// The one in a data directory of `berth up`.
  public static VmDirectory in(Path dataDir) {
    return new VmDirectory(dataDir.resolve("vm"));
  }

  Path socket() {
    return path.resolve("cri.sock");
  }

  /// The command line of the process, in a file: the kernel shows only the first 4096 bytes of it,
  /// and the class path may be longer.
  Path arguments() {
    return path.resolve("arguments");
  }

  Path log() {
    return path.resolve("log");
  }

  /// The first images.
  Path archive() {
    return path.resolve("images.tar");
  }

  /// An unpacked kernel package.
  Path kernel() {
    return path.resolve("guest");
  }

  /// Exists once the process serves and has loaded the first images.
  static Path readyIn(Path directory) {
    return directory.resolve("ready");
  }
}
