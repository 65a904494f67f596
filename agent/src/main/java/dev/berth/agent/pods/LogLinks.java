package dev.berth.agent.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Links to the logs of containers in one flat folder, with the names that shippers of logs read
/// pod, namespace, container and id from: `/var/log/containers` beside `/var/log/pods`.
///
/// @param logs the folder of all pods' logs
record LogLinks(Path logs) {
  /// Links a container's log. Logs that are elsewhere are not ours.
  void add(String containerId, Path log) throws IOException {
    Path folder = log.startsWith(logs) ? logs.relativize(log) : Path.of("");
    String[] pod = folder.getName(0).toString().split("_", 3);
    if (folder.getNameCount() != 3 || pod.length != 3) {
      return;
    }
    Path link =
        folder()
            .resolve("%s_%s_%s-%s.log".formatted(pod[1], pod[0], folder.getName(1), containerId));
    if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(folder());
      Files.createSymbolicLink(link, log);
    }
  }

  /// Removes those of logs that are gone; links of others are left alone.
  void prune() throws IOException {
    if (!Files.isDirectory(folder())) {
      return;
    }
    List<Path> all;
    try (Stream<Path> list = Files.list(folder())) {
      all = list.filter(Files::isSymbolicLink).toList();
    }
    for (Path link : all) {
      if (Files.readSymbolicLink(link).startsWith(logs) && !Files.exists(link)) {
        Files.deleteIfExists(link);
      }
    }
  }

  private Path folder() {
    return logs.resolveSibling("containers");
  }
}
