package dev.berth.agent.pods.logs;

import dev.berth.agent.files.DirectoryHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Links to the logs of containers in one flat directory, with the names that shippers of logs read
/// pod, namespace, container and id from: `/var/log/containers` beside `/var/log/pods`.
///
/// @param logs the directory of all pods' logs
public record LogLinks(Path logs) {
  private static final String LINKS = "containers";

  /// Links a container's log. Logs that are elsewhere are not ours.
  void add(String containerId, Path log) throws IOException {
    Path directory = log.startsWith(logs) ? logs.relativize(log) : Path.of("");
    String[] pod = directory.getName(0).toString().split("_", 3);
    if (directory.getNameCount() != 3 || pod.length != 3) {
      return;
    }
    String link = "%s_%s_%s-%s.log".formatted(pod[1], pod[0], directory.getName(1), containerId);
    try (DirectoryHandle links = DirectoryHandle.make(parent(), LINKS)) {
      if (links.status(link).isEmpty()) {
        links.link(link, log.toString());
      }
    }
  }

  /// Removes those of logs that are gone; links of others are left alone.
  void prune() throws IOException {
    try (DirectoryHandle links = DirectoryHandle.openPlain(parent().resolve(LINKS))) {
      for (String link : links.names()) {
        Optional<Path> log = links.readLink(link).map(Path::of);
        if (log.filter(target -> target.startsWith(logs) && !Files.exists(target)).isPresent()) {
          links.remove(link);
        }
      }
    } catch (NoSuchFileException _) {
      // There was no log yet.
    }
  }

  private Path parent() {
    return Objects.requireNonNull(logs.toAbsolutePath().getParent());
  }
}
