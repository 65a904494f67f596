package dev.berth.chaos.arenas;

import dev.berth.agent.cgroups.CgroupMounts;
import dev.berth.agent.cgroups.CgroupTree;
import dev.berth.chaos.history.RunLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Counts the resources that pods can leave behind on the node with containerd. Each kind is read
/// from the system itself and not from Berth, whose records may be what is wrong.
final class NodeLeftovers {
  /// Time in which the agent must have removed everything.
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final ContainerdUnderAttack containerd;
  private final Path directory;
  private final Path podsDirectory;
  private final String groups;
  private final CgroupTree kernel;

  /// @param directory the arena's directory
  /// @param podsDirectory the directory in which the agent keeps the files of pods
  NodeLeftovers(ContainerdUnderAttack containerd, Path directory, Path podsDirectory, String groups)
      throws IOException {
    this.containerd = containerd;
    this.directory = directory;
    this.podsDirectory = podsDirectory;
    this.groups = groups;
    this.kernel =
        CgroupMounts.ofThisMachine()
            .open()
            .orElseThrow(() -> new IOException("this machine has no control groups"));
  }

  /// Counts the resources by kind.
  Map<String, Long> counts() throws IOException {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("containers and sandboxes", (long) containerd.ctr("containers", "ls", "-q").size());
    counts.put("tasks", (long) containerd.ctr("tasks", "ls", "-q").size());
    counts.put(
        "shims",
        ProcessHandle.allProcesses()
            .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
            .count());
    counts.put(
        "mounts",
        Files.readAllLines(Path.of("/proc/self/mounts")).stream()
            .filter(line -> line.contains(directory.toString()))
            .count());
    long below = 0;
    // Guaranteed pods are at the top; the others are below the cgroup of their QoS class.
    for (String level : List.of("", "/burstable", "/besteffort")) {
      below += kernel.below(groups + "/kubepods" + level).size();
    }
    counts.put("control groups", below);
    counts.put("directories of pods", entries(podsDirectory));
    counts.put("network namespaces", entries(Path.of("/run/netns")));
    return counts;
  }

  private static long entries(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.count();
    }
  }

  /// Waits until no count exceeds the one before the attack, and reports a violation after the
  /// limit.
  void check(Map<String, Long> before, RunLog log) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    Map<String, Long> now = counts();
    while (isMore(now, before) && System.nanoTime() < end) {
      LockSupport.parkNanos(500_000_000);
      now = counts();
    }
    log.step("leftovers: before %s, after %s".formatted(before, now));
    if (isMore(now, before)) {
      log.violation("leaks", "before there were %s, now %s".formatted(before, now));
    }
  }

  private static boolean isMore(Map<String, Long> now, Map<String, Long> before) {
    return now.entrySet().stream()
        .anyMatch(count -> count.getValue() > before.getOrDefault(count.getKey(), 0L));
  }

  /// Checks that no pod has two running sandboxes or two running containers of one name.
  void checkDuplicates(RunLog log) throws IOException {
    Set<String> running = new HashSet<>();
    for (String line : containerd.ctr("tasks", "ls")) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length == 3 && words[2].equals("RUNNING")) {
        running.add(words[0]);
      }
    }
    // A sandbox has no label with a container name, so that it differs from the containers of its
    // pod.
    Map<String, String> owners = new HashMap<>();
    for (String id : running) {
      String text = info(id);
      String owner =
          label(text, "io.kubernetes.pod.uid") + " " + label(text, "io.kubernetes.container.name");
      String other = owners.putIfAbsent(owner, id);
      if (other != null && !text.isEmpty()) {
        log.violation("pods", "pod %s runs twice: %s and %s".formatted(owner, other, id));
      }
    }
    log.count("containers checked for duplicates", running.size());
  }

  /// The description of a container; empty when the container is gone.
  private String info(String id) {
    try {
      return String.join("\n", containerd.ctr("containers", "info", id));
    } catch (IOException _) {
      return "";
    }
  }

  /// The value of a label in the JSON that `ctr` prints; empty without the label.
  private static String label(String text, String name) {
    int start = text.indexOf("\"" + name + "\": \"");
    if (start < 0) {
      return "";
    }
    int from = start + name.length() + 5;
    return text.substring(from, text.indexOf('"', from));
  }

  void removeGroups(List<String> all) throws IOException {
    for (String one : all) {
      kernel.remove(one);
    }
  }
}
