package dev.berth.checks.pods;

import dev.berth.checks.containerd.ContainerdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Counts what pods could leave behind on a node.
final class Leftovers {
  private final TwoContainerds all;

  Leftovers(TwoContainerds all) {
    this.all = all;
  }

  Map<String, Long> counts() {
    try {
      Map<String, Long> counts = new LinkedHashMap<>();
      for (ContainerdProcess containerd : List.of(all.runc, all.crun)) {
        counts.put(
            "containers of " + containerd.runtime(),
            containerd.ctr("containers", "ls", "-q").lines().count());
        counts.put(
            "tasks of " + containerd.runtime(),
            containerd.ctr("tasks", "ls", "-q").lines().count());
      }
      for (String name : List.of("r", "c")) {
        // One for each sandbox with a network namespace, besides the record of the last.
        counts.put("addresses of " + name, addresses(all.directory.resolve(name)));
      }
      counts.put(
          "mounts",
          Files.readAllLines(Path.of("/proc/self/mounts")).stream()
              .filter(line -> line.contains(all.directory.toString()))
              .count());
      long groups = 0;
      for (String level : List.of("", "/burstable", "/besteffort")) {
        groups += all.node.kernel.below(PodNode.GROUPS + level).size();
      }
      counts.put("control groups", groups);
      counts.put("directories", entries(all.directory.resolve("node/pods")));
      counts.putAll(OpenFiles.count(ProcessHandle.current(), all.directory));
      return counts;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long addresses(Path containerd) throws IOException {
    Path directory = containerd.resolve("addresses/test");
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(one -> one.getFileName().toString().startsWith("10.")).count();
    }
  }

  private static long entries(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.count();
    }
  }

  long containers() {
    return counts().entrySet().stream()
        .filter(count -> count.getKey().startsWith("containers"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  static boolean isNoMore(Map<String, Long> now, Map<String, Long> before) {
    return now.entrySet().stream()
        .allMatch(count -> count.getValue() <= before.getOrDefault(count.getKey(), 0L));
  }
}
