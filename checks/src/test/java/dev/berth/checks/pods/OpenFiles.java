package dev.berth.checks.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a process has open that pods could have left open: files of the test, pipes, sockets to
/// runtime services. Connections between servers and clients of the cluster come and go with their
/// pools, and are not counted.
final class OpenFiles {
  private OpenFiles() {}

  /// By what it is.
  ///
  /// @param directory of the test
  static Map<String, Long> count(ProcessHandle process, Path directory) throws IOException {
    Path proc = Path.of("/proc/" + process.pid());
    Set<String> local =
        Files.readAllLines(proc.resolve("net/unix")).stream()
            .skip(1)
            .map(line -> "socket:[" + line.strip().split(" +", -1)[6] + "]")
            .collect(Collectors.toSet());
    Map<String, Long> counts = new TreeMap<>();
    counts.put("open local sockets", 0L);
    counts.put("open pipes", 0L);
    try (Stream<Path> all = Files.list(proc.resolve("fd"))) {
      all.map(OpenFiles::target)
          .map(
              target ->
                  local.contains(target)
                      ? "open local sockets"
                      : target.startsWith("pipe:")
                          ? "open pipes"
                          : target.startsWith(directory.toString()) ? "open " + target : "")
          .filter(kind -> !kind.isEmpty())
          .forEach(kind -> counts.merge(kind, 1L, Long::sum));
    }
    return counts;
  }

  /// Empty for what is closed by now.
  private static String target(Path entry) {
    try {
      return Files.readSymbolicLink(entry).toString();
    } catch (IOException _) {
      return "";
    }
  }
}
