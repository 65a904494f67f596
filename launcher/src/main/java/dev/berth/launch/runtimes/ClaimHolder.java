package dev.berth.launch.runtimes;

import dev.berth.store.ProcessCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// The process that claimed a runtime service, as its lock file says.
///
/// @param process its id in its own process namespace
/// @param dataDir the data directory to which the pods belong; empty when there was no claim
record ClaimHolder(String process, String since, String dataDir) {
  private static final String PROCESS = "process";
  private static final String SINCE = "since";
  private static final String DATA_DIR = "data-dir";

  static ClaimHolder now(Path dataDir, Instant since) {
    return new ClaimHolder(
        Long.toString(ProcessHandle.current().pid()), since.toString(), dataDir.toString());
  }

  static ClaimHolder parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.lines().toList()) {
      int space = line.indexOf(' ');
      if (space > 0) {
        values.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    return new ClaimHolder(
        values.getOrDefault(PROCESS, ""),
        values.getOrDefault(SINCE, ""),
        values.getOrDefault(DATA_DIR, ""));
  }

  String text() {
    return "%s %s%n%s %s%n%s %s%n".formatted(PROCESS, process, SINCE, since, DATA_DIR, dataDir);
  }

  /// A description for messages, such as `process 4711 (berth agent --data-dir /srv/berth) with
  /// data directory /srv/berth`.
  String words() {
    if (process.isEmpty()) {
      return "another process that is starting";
    }
    String command = ProcessCommand.of(Path.of("/proc", process));
    return "process %s%s with data directory %s, since %s"
        .formatted(process, command.isEmpty() ? "" : " (" + command + ")", dataDir, since);
  }

  /// Whether the pods of the holder's data directory may still exist: the directory exists
  /// elsewhere and records pods.
  ///
  /// @param other the data directory of the process that wants to claim the same service
  boolean hasPodsBeside(Path other) throws IOException {
    Path own = Path.of(dataDir);
    if (dataDir.isEmpty() || !Files.isDirectory(own) || Files.isSameFile(own, other)) {
      return false;
    }
    Path pods = own.resolve("agent").resolve("pods");
    if (!Files.isDirectory(pods)) {
      return false;
    }
    try (Stream<Path> all = Files.list(pods)) {
      return all.findAny().isPresent();
    }
  }
}
