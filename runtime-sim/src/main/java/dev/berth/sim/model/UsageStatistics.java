package dev.berth.sim.model;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ContainerAttributes;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.CpuUsage;
import dev.berth.cri.v1.FilesystemIdentifier;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.LinuxPodSandboxStats;
import dev.berth.cri.v1.MemoryUsage;
import dev.berth.cri.v1.PodSandboxAttributes;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.UInt64Value;
import java.util.List;

/// Resource usage of containers and pods in CRI's messages.
///
/// As with containerd, lists leave out what does not run, and a request for a single container or
/// sandbox that does not run fails.
public final class UsageStatistics {
  /// Size of every writable layer: processes write into memory, not into a layer.
  private static final long LAYER_BYTES = 20 * 1024;

  private static final long LAYER_FILES = 8;

  private final SimMachine machine;
  private final MachineInventory inventory;
  private final String mountpoint;

  /// @param mountpoint the file system of images and writable layers
  public UsageStatistics(SimMachine machine, MachineInventory inventory, String mountpoint) {
    this.machine = machine;
    this.inventory = inventory;
    this.mountpoint = mountpoint;
  }

  public ContainerStats container(String id) {
    return machine.locked(
        () -> {
          SimContainer container;
          try {
            container = machine.containers.find(id);
          } catch (CallRefusal e) {
            throw e.in("failed to find container");
          }
          if (!container.running()) {
            throw CallRefusal.unknown("unexpected metrics response: []");
          }
          return stats(container, machine.timeline.nanos());
        });
  }

  /// The usage of the running containers that match the filter.
  public List<ContainerStats> containers(ContainerStatsFilter filter) {
    return machine.locked(
        () -> {
          long now = machine.timeline.nanos();
          return inventory
              .matching(filter.getId(), filter.getPodSandboxId(), filter.getLabelSelectorMap())
              .filter(SimContainer::running)
              .map(container -> stats(container, now))
              .toList();
        });
  }

  public PodSandboxStats sandbox(String id) {
    return machine.locked(
        () -> {
          SimSandbox sandbox;
          try {
            sandbox = machine.sandboxes.find(id);
          } catch (CallRefusal e) {
            throw e.in("an error occurred when trying to find sandbox " + id);
          }
          if (!sandbox.ready) {
            throw CallRefusal.unknown(
                "failed to decode sandbox container metrics for sandbox \"%s\": sandbox is not running"
                    .formatted(sandbox.id));
          }
          return stats(sandbox, machine.timeline.nanos());
        });
  }

  public List<PodSandboxStats> sandboxes(PodSandboxStatsFilter filter) {
    return machine.locked(
        () -> {
          long now = machine.timeline.nanos();
          return machine.sandboxes.matching(filter.getId()).stream()
              .filter(sandbox -> sandbox.ready)
              .filter(
                  sandbox ->
                      MachineInventory.fits(
                          filter.getLabelSelectorMap(), sandbox.config.getLabelsMap()))
              .map(sandbox -> stats(sandbox, now))
              .toList();
        });
  }

  /// The usage of a container, with a writable layer of a fixed size.
  private ContainerStats stats(SimContainer container, long now) {
    SimulatedUsage usage = SimulatedUsage.of(container, now);
    long limit = container.resources.getLinux().getMemoryLimitInBytes();
    return ContainerStats.newBuilder()
        .setAttributes(attributes(container))
        .setCpu(cpu(usage, now))
        .setMemory(memory(usage, limit, now))
        .setWritableLayer(
            FilesystemUsage.newBuilder()
                .setTimestamp(now)
                .setFsId(FilesystemIdentifier.newBuilder().setMountpoint(mountpoint))
                .setUsedBytes(value(LAYER_BYTES))
                .setInodesUsed(value(LAYER_FILES)))
        .build();
  }

  /// The usage of a pod: the sum of its containers. Windows has a message of its own with other
  /// fields.
  private PodSandboxStats stats(SimSandbox sandbox, long now) {
    PodSandboxStats.Builder stats =
        PodSandboxStats.newBuilder()
            .setAttributes(
                PodSandboxAttributes.newBuilder()
                    .setId(sandbox.id)
                    .setMetadata(sandbox.config.getMetadata())
                    .putAllLabels(sandbox.config.getLabelsMap())
                    .putAllAnnotations(sandbox.config.getAnnotationsMap()));
    List<SimContainer> running = sandbox.containers.stream().filter(SimContainer::running).toList();
    SimulatedUsage sum =
        running.stream()
            .map(container -> SimulatedUsage.of(container, now))
            .reduce(new SimulatedUsage(0, 0, 0), SimulatedUsage::plus);
    if (machine.knobs.profile().platform().isWindows()) {
      return stats.setWindows(WindowsStatistics.pod(running, sum, now)).build();
    }
    return stats
        .setLinux(
            LinuxPodSandboxStats.newBuilder()
                .setCpu(cpu(sum, now))
                .setMemory(memory(sum, 0, now))
                .setNetwork(PodNetwork.usage(sandbox.createdAt, now))
                .setProcess(PodNetwork.processes(running.size() + 1, now))
                .addAllContainers(
                    running.stream().map(container -> stats(container, now)).toList()))
        .build();
  }

  private static ContainerAttributes attributes(SimContainer container) {
    return ContainerAttributes.newBuilder()
        .setId(container.id)
        .setMetadata(container.config.getMetadata())
        .putAllLabels(container.config.getLabelsMap())
        .putAllAnnotations(container.config.getAnnotationsMap())
        .build();
  }

  private static CpuUsage cpu(SimulatedUsage usage, long now) {
    return CpuUsage.newBuilder()
        .setTimestamp(now)
        .setUsageCoreNanoSeconds(value(usage.cpuNanos()))
        .setUsageNanoCores(value(usage.nanoCores()))
        .build();
  }

  private static MemoryUsage memory(SimulatedUsage usage, long limit, long now) {
    MemoryUsage.Builder memory =
        MemoryUsage.newBuilder()
            .setTimestamp(now)
            .setWorkingSetBytes(value(usage.memoryBytes()))
            .setUsageBytes(value(usage.memoryBytes()))
            .setRssBytes(value(usage.memoryBytes() / 2));
    if (limit > 0) {
      memory.setAvailableBytes(value(limit - usage.memoryBytes()));
    }
    return memory.build();
  }

  static UInt64Value value(long value) {
    return UInt64Value.newBuilder().setValue(value).build();
  }
}
