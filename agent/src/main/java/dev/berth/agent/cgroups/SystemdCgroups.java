package dev.berth.agent.cgroups;

import dev.berth.agent.cgroups.SystemdUnits.Property;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// Control groups as systemd slices. systemd creates and removes them, and would undo direct
/// writes, so only reads bypass it.
final class SystemdCgroups implements CgroupTree {
  private static final String INFINITY = "18446744073709551615";

  /// systemd rounds CPU quotas to hundredths of a second per second: rounded up, so that containers
  /// never have more than their pod.
  private static final long STEP_MICROS = 10_000;

  private final SystemdUnits systemd;
  private final CgroupTree files;
  private final boolean unified;

  /// @param files the kernel's view
  /// @param unified whether it is version 2
  SystemdCgroups(SystemdUnits systemd, CgroupTree files, boolean unified) {
    this.systemd = systemd;
    this.files = files;
    this.unified = unified;
  }

  @Override
  public void set(String path, CgroupLimits limits) throws IOException {
    List<Property> properties = properties(limits);
    if (!isThere(path)) {
      systemd.start(SystemdSlices.unit(path), properties);
    } else if (!properties(read(path)).equals(properties)) {
      systemd.change(SystemdSlices.unit(path), properties);
    }
  }

  /// Accounting enables a controller even without a limit.
  private List<Property> properties(CgroupLimits limits) {
    return List.of(
        new Property("CPUAccounting", "b", "true"),
        new Property("MemoryAccounting", "b", "true"),
        new Property("TasksAccounting", "b", "true"),
        unified
            ? number("CPUWeight", CgroupsV2.weight(limits.cpuShares()))
            : number("CPUShares", limits.cpuShares()),
        number("CPUQuotaPerSecUSec", micros(limits.cpuQuota())),
        number(unified ? "MemoryMax" : "MemoryLimit", limits.memoryBytes()));
  }

  private static Property number(String name, long value) {
    return new Property(name, "t", value < 0 ? INFINITY : Long.toString(value));
  }

  private static long micros(long quota) {
    return quota < 0
        ? CgroupLimits.NO_LIMIT
        : Math.ceilDiv(quota * 1_000_000 / CgroupLimits.PERIOD, STEP_MICROS) * STEP_MICROS;
  }

  private boolean isThere(String path) throws IOException {
    String directory = SystemdSlices.directory(path);
    return files.below(directory.substring(0, directory.lastIndexOf('/') + 1)).contains(directory);
  }

  @Override
  public CgroupLimits read(String path) throws IOException {
    return files.read(SystemdSlices.directory(path));
  }

  /// Only slices: runtimes own the groups of containers.
  @Override
  public List<String> below(String path) throws IOException {
    return files.below(SystemdSlices.directory(path)).stream()
        .filter(SystemdSlices::isSlice)
        .map(directory -> SystemdSlices.below(path, directory))
        .toList();
  }

  @Override
  public boolean removeUnused(String path) throws IOException {
    if (!isThere(path)) {
      return true;
    }
    if (!files.below(SystemdSlices.directory(path)).isEmpty()) {
      return false;
    }
    systemd.stop(SystemdSlices.unit(path));
    return true;
  }

  @Override
  public Set<Long> processes(String path) throws IOException {
    return files.processes(SystemdSlices.directory(path));
  }

  @Override
  public boolean remove(String path) throws IOException {
    if (!isThere(path)) {
      return false;
    }
    String directory = SystemdSlices.directory(path);
    if (!files.below(directory).stream().allMatch(SystemdSlices::isSlice)) {
      throw new IOException("control group %s is still in use".formatted(directory));
    }
    for (String below : below(path)) {
      boolean _ = remove(below);
    }
    systemd.stop(SystemdSlices.unit(path));
    return true;
  }
}
