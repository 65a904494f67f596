package dev.berth.sim.model;

import dev.berth.cri.v1.ContainerAttributes;
import dev.berth.cri.v1.WindowsContainerStats;
import dev.berth.cri.v1.WindowsCpuUsage;
import dev.berth.cri.v1.WindowsMemoryUsage;
import dev.berth.cri.v1.WindowsPodSandboxStats;
import dev.berth.cri.v1.WindowsProcessUsage;
import java.util.List;

/// Resource usage in CRI's messages for Windows, which have no RSS, no page faults and no file
/// system of the containers.
final class WindowsStatistics {
  private WindowsStatistics() {}

  static WindowsPodSandboxStats pod(List<SimContainer> running, SimulatedUsage sum, long now) {
    return WindowsPodSandboxStats.newBuilder()
        .setCpu(cpu(sum, now))
        .setMemory(memory(sum, now))
        .setProcess(
            WindowsProcessUsage.newBuilder()
                .setTimestamp(now)
                .setProcessCount(UsageStatistics.value(running.size())))
        .addAllContainers(running.stream().map(container -> container(container, now)).toList())
        .build();
  }

  private static WindowsContainerStats container(SimContainer container, long now) {
    SimulatedUsage usage = SimulatedUsage.of(container, now);
    return WindowsContainerStats.newBuilder()
        .setAttributes(
            ContainerAttributes.newBuilder()
                .setId(container.id)
                .setMetadata(container.config.getMetadata())
                .putAllLabels(container.config.getLabelsMap())
                .putAllAnnotations(container.config.getAnnotationsMap()))
        .setCpu(cpu(usage, now))
        .setMemory(memory(usage, now))
        .build();
  }

  private static WindowsCpuUsage cpu(SimulatedUsage usage, long now) {
    return WindowsCpuUsage.newBuilder()
        .setTimestamp(now)
        .setUsageCoreNanoSeconds(UsageStatistics.value(usage.cpuNanos()))
        .setUsageNanoCores(UsageStatistics.value(usage.nanoCores()))
        .build();
  }

  private static WindowsMemoryUsage memory(SimulatedUsage usage, long now) {
    return WindowsMemoryUsage.newBuilder()
        .setTimestamp(now)
        .setWorkingSetBytes(UsageStatistics.value(usage.memoryBytes()))
        .setCommitMemoryBytes(UsageStatistics.value(usage.memoryBytes()))
        .build();
  }
}
