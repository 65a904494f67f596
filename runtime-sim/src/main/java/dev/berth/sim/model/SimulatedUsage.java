package dev.berth.sim.model;

import dev.berth.api.Quantity;
import dev.berth.cri.v1.LinuxContainerResources;
import java.util.Optional;

/// The simulated resource usage of a running container: constant, slightly different for each
/// container, and within its limits. Annotations of the pod or container override it.
///
/// @param cpuNanos processor time since the start of the container
/// @param nanoCores current rate, in billionths of a processor
record SimulatedUsage(long cpuNanos, long nanoCores, long memoryBytes) {
  private static final String CPU = "sim.berth.dev/cpu";
  private static final String MEMORY = "sim.berth.dev/memory";
  private static final long MILLI_CORE = 1_000_000L;
  private static final long MEBIBYTE = 1024L * 1024;

  static SimulatedUsage of(SimContainer container, long now) {
    // The id spreads the values and keeps them constant over the life of a container.
    int spread = Math.floorMod(container.id.hashCode(), 16);
    LinuxContainerResources limits = container.resources.getLinux();
    long cores =
        annotated(container, CPU)
            .map(quantity -> quantity.milli() * MILLI_CORE)
            .orElse((5 + spread) * MILLI_CORE);
    if (limits.getCpuQuota() > 0 && limits.getCpuPeriod() > 0) {
      cores = Math.min(cores, 1000 * MILLI_CORE * limits.getCpuQuota() / limits.getCpuPeriod());
    }
    long memory = annotated(container, MEMORY).map(Quantity::value).orElse((8 + spread) * MEBIBYTE);
    long limit =
        Math.max(
            limits.getMemoryLimitInBytes(),
            container.resources.getWindows().getMemoryLimitInBytes());
    if (limit > 0) {
      memory = Math.min(memory, limit);
    }
    double seconds = Math.max(0, now - container.startedAt) / 1e9;
    return new SimulatedUsage((long) (seconds * cores), cores, memory);
  }

  SimulatedUsage plus(SimulatedUsage other) {
    return new SimulatedUsage(
        cpuNanos + other.cpuNanos, nanoCores + other.nanoCores, memoryBytes + other.memoryBytes);
  }

  private static Optional<Quantity> annotated(SimContainer container, String key) {
    String text =
        container.config.getAnnotationsOrDefault(
            key, container.sandbox.config.getAnnotationsOrDefault(key, ""));
    return text.isEmpty() ? Optional.empty() : Quantity.parse(text);
  }
}
