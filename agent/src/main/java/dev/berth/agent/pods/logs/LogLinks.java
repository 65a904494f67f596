package dev.berth.agent.pods.logs;

import dev.berth.agent.files.DirectoryHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Links to container logs in one flat directory. Log shippers read pod, namespace, container and
/// id from the names: `/var/log/containers` beside `/var/log/pods`.
///
/// @param logs the directory of all pods' logs
public record LogLinks(Path logs) {
  private static final String LINKS = "containers";

  /// Links a container's log; logs elsewhere are left alone.
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

  /// Removes links to missing logs; links of others stay.
  void prune() throws IOException {
    try (DirectoryHandle links = DirectoryHandle.openPlain(parent().resolve(LINKS))) {
      for (String link : links.names()) {
        Optional<Path> log = links.readLink(link).map(Path::of);
        if (log.filter(target -> target.startsWith(logs) && !Files.exists(target)).isPresent()) {
          links.remove(link);
        }
      }
    } catch (NoSuchFileException _) {
      // No container has a log yet.
    }
  }

  private Path parent() {
    return Objects.requireNonNull(logs.toAbsolutePath().getParent());
  }
}
