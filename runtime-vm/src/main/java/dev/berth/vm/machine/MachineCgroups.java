package dev.berth.vm.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The control groups of machines: one below the pod's in each hierarchy, so that the limits of the
/// pod hold for its QEMU, and systemd does not count QEMU among the processes of the service.
final class MachineCgroups {
  private static final Logger log = LoggerFactory.getLogger(MachineCgroups.class);

  /// Hierarchies of version 1 that need no settings before a process can join. `systemd` has none
  /// of its own, but a service manager ends what it finds there.
  private static final List<String> CONTROLLERS =
      List.of("cpu", "cpuacct", "memory", "pids", "blkio", "systemd");

  private static final List<String> ENABLED = List.of("+cpu", "+memory", "+pids");
  private static final long REMOVAL_NANOS = 2_000_000_000L;

  private final Path root;

  /// @param root `/sys/fs/cgroup`
  MachineCgroups(Path root) {
    this.root = root;
  }

  /// The directories of a machine's groups; none of them is made yet.
  List<Path> plan(String parent, String sandboxId) {
    if (parent.isEmpty()) {
      return List.of();
    }
    String path = CgroupPaths.relative(parent) + "/berth-vm-" + sandboxId;
    if (Files.exists(root.resolve("cgroup.controllers"))) {
      return List.of(root.resolve(path));
    }
    Set<Path> groups = new LinkedHashSet<>();
    for (String controller : CONTROLLERS) {
      Path hierarchy = root.resolve(controller);
      if (Files.isDirectory(hierarchy)) {
        // `cpu` is often a link to `cpu,cpuacct`.
        groups.add(real(hierarchy).resolve(path));
      }
    }
    return List.copyOf(groups);
  }

  private static Path real(Path hierarchy) {
    try {
      return hierarchy.toRealPath();
    } catch (IOException unusual) {
      return hierarchy;
    }
  }

  /// Makes the groups.
  ///
  /// @return the files by which a process joins them
  List<Path> create(List<Path> groups) throws IOException {
    for (Path group : groups) {
      Files.createDirectories(group);
      enable(group);
    }
    return groups.stream().map(group -> group.resolve("cgroup.procs")).toList();
  }

  /// Version 2: a parent gives controllers to its children. It may refuse, such as when it has
  /// processes of its own; then the limits of the parent still hold.
  private void enable(Path group) {
    Path parent = group.getParent();
    if (parent == null || !Files.exists(group.resolve("cgroup.controllers"))) {
      return;
    }
    for (String controller : ENABLED) {
      try {
        Files.writeString(parent.resolve("cgroup.subtree_control"), controller);
      } catch (IOException refused) {
        log.debug(
            "control group keeps its controllers group={} reason={}", parent, refused.toString());
      }
    }
  }

  /// Removes the groups, but not their parents. A process that just ended may still count for a
  /// moment.
  void remove(List<Path> groups) throws IOException {
    long deadline = System.nanoTime() + REMOVAL_NANOS;
    for (Path group : groups) {
      while (!removed(group)) {
        if (System.nanoTime() > deadline) {
          throw new IOException("control group %s is still in use".formatted(group));
        }
        LockSupport.parkNanos(2_000_000);
      }
    }
  }

  private static boolean removed(Path group) {
    try {
      Files.delete(group);
      return true;
    } catch (NoSuchFileException gone) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
