package dev.berth.agent.cgroups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Version 1: one hierarchy per controller. Groups are created where limits are set; the same
/// groups that runtimes create in other hierarchies are removed, too.
final class CgroupsV1 implements CgroupTree {
  /// The kernel reports about this value for no limit.
  private static final long UNLIMITED = Long.MAX_VALUE - (1L << 20);

  private final CgroupFiles cpu;
  private final CgroupFiles memory;
  private final List<CgroupFiles> all;

  private CgroupsV1(CgroupFiles cpu, CgroupFiles memory, List<CgroupFiles> all) {
    this.cpu = cpu;
    this.memory = memory;
    this.all = Stream.concat(Stream.of(cpu, memory), all.stream()).distinct().toList();
  }

  static Optional<CgroupTree> of(Collection<CgroupMounts.Mount> mounts) {
    Optional<Path> cpu = place(mounts, "cpu");
    Optional<Path> memory = place(mounts, "memory");
    if (cpu.isEmpty() || memory.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CgroupsV1(
            new CgroupFiles(cpu.get()),
            new CgroupFiles(memory.get()),
            mounts.stream().map(mount -> new CgroupFiles(mount.place())).toList()));
  }

  private static Optional<Path> place(Collection<CgroupMounts.Mount> mounts, String controller) {
    return mounts.stream()
        .filter(mount -> mount.version() == 1 && mount.options().contains(controller))
        .map(CgroupMounts.Mount::place)
        .findFirst();
  }

  @Override
  public void set(String path, CgroupLimits limits) throws IOException {
    cpu.make(path);
    cpu.write(path, "cpu.shares", Long.toString(limits.cpuShares()));
    cpu.write(path, "cpu.cfs_period_us", Long.toString(CgroupLimits.PERIOD));
    cpu.write(path, "cpu.cfs_quota_us", Long.toString(limits.cpuQuota()));
    memory.make(path);
    if (read(path).memoryBytes() != limits.memoryBytes()) {
      memory.write(path, "memory.limit_in_bytes", Long.toString(limits.memoryBytes()));
    }
  }

  @Override
  public CgroupLimits read(String path) throws IOException {
    long bytes = Long.parseLong(memory.read(path, "memory.limit_in_bytes"));
    return new CgroupLimits(
        Long.parseLong(cpu.read(path, "cpu.shares")),
        Long.parseLong(cpu.read(path, "cpu.cfs_quota_us")),
        bytes >= UNLIMITED ? CgroupLimits.NO_LIMIT : bytes);
  }

  @Override
  public List<String> below(String path) throws IOException {
    Set<String> found = new java.util.TreeSet<>();
    for (CgroupFiles one : List.of(cpu, memory)) {
      found.addAll(one.below(path));
    }
    return List.copyOf(found);
  }

  @Override
  public boolean removeUnused(String path) {
    boolean gone = true;
    for (CgroupFiles one : all) {
      gone &= one.removeUnused(path);
    }
    return gone;
  }

  @Override
  public Set<Long> processes(String path) throws IOException {
    Set<Long> found = new HashSet<>();
    for (CgroupFiles one : all) {
      found.addAll(one.processes(path));
    }
    return found;
  }

  @Override
  public boolean remove(String path) throws IOException {
    boolean found = false;
    for (CgroupFiles one : all) {
      found |= one.remove(path);
    }
    return found;
  }
}
