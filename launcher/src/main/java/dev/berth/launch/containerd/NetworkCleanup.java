package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Removes the results that CNI's library caches for pods whose deletion it did not see. containerd
/// writes them below a directory of the machine that no setting moves, so that only files of this
/// network may go.
///
/// @param results the directory of the cache
/// @param network the name of this data directory's network
record NetworkCleanup(Path results, String network) {
  static NetworkCleanup of(Path directory) throws IOException {
    return new NetworkCleanup(
        Path.of("/var/lib/cni/results"), PodNetwork.of(directory, List.of()).name());
  }

  /// Files are called `<network>-<sandbox>-<interface>`.
  void clear() throws IOException {
    if (!Files.isDirectory(results)) {
      return;
    }
    List<Path> leftovers = new ArrayList<>();
    try (var files = Files.newDirectoryStream(results, network + "-*-eth0")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String sandbox = name.substring(network.length() + 1, name.length() - "-eth0".length());
        leftovers.add(file);
        leftovers.add(results.resolve("cni-loopback-" + sandbox + "-lo"));
      }
    }
    for (Path file : leftovers) {
      Files.deleteIfExists(file);
    }
  }
}
