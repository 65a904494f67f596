package dev.berth.agent.cgroups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// Version 2: one hierarchy, in which each group delegates controllers to its children.
final class CgroupsV2 implements CgroupTree {
  private static final List<String> NEEDED = List.of("cpu", "memory");
  private static final List<String> WELCOME = List.of("cpuset", "io", "pids", "hugetlb");
  private static final String MAX = "max";

  private final CgroupFiles files;

  CgroupsV2(Path root) {
    this.files = new CgroupFiles(root);
  }

  @Override
  public void set(String path, CgroupLimits limits) throws IOException {
    StringBuilder above = new StringBuilder();
    for (String name : path.replaceFirst("^/+", "").split("/", -1)) {
      handDown(above.isEmpty() ? "/" : above.toString());
      above.append('/').append(name);
      files.make(above.toString());
    }
    // Runtimes create containers' groups below this one.
    handDown(path);
    files.write(path, "cpu.weight", Long.toString(weight(limits.cpuShares())));
    files.write(path, "cpu.max", word(limits.cpuQuota()) + " " + CgroupLimits.PERIOD);
    files.write(path, "memory.max", word(limits.memoryBytes()));
  }

  private void handDown(String path) throws IOException {
    List<String> offered = words(files.read(path, "cgroup.controllers"));
    List<String> given = words(files.read(path, "cgroup.subtree_control"));
    for (String controller : NEEDED) {
      if (!given.contains(controller)) {
        if (!offered.contains(controller)) {
          throw new IOException(
              "%s lacks the controller %s".formatted(files.directory(path), controller));
        }
        files.write(path, "cgroup.subtree_control", "+" + controller);
      }
    }
    for (String controller : WELCOME) {
      if (!given.contains(controller) && offered.contains(controller)) {
        files.write(path, "cgroup.subtree_control", "+" + controller);
      }
    }
  }

  @Override
  public CgroupLimits read(String path) throws IOException {
    return new CgroupLimits(
        shares(Long.parseLong(files.read(path, "cpu.weight"))),
        number(words(files.read(path, "cpu.max")).getFirst()),
        number(files.read(path, "memory.max")));
  }

  /// Maps the range of shares linearly to the range of weights, as runtimes do.
  static long weight(long shares) {
    return 1 + (shares - 2) * 9999 / 262_142;
  }

  /// The smallest shares with this weight, so that a value that is read and written again stays the
  /// same.
  static long shares(long weight) {
    return 2 + Math.ceilDiv((weight - 1) * 262_142, 9999);
  }

  private static String word(long limit) {
    return limit < 0 ? MAX : Long.toString(limit);
  }

  private static long number(String word) {
    return word.equals(MAX) ? CgroupLimits.NO_LIMIT : Long.parseLong(word);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" +", -1));
  }

  @Override
  public List<String> below(String path) throws IOException {
    return files.below(path);
  }

  @Override
  public boolean removeUnused(String path) {
    return files.removeUnused(path);
  }

  @Override
  public Set<Long> processes(String path) throws IOException {
    return files.processes(path);
  }

  @Override
  public boolean remove(String path) throws IOException {
    return files.remove(path);
  }
}
