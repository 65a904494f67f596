package dev.berth.vm.service;

import dev.berth.cri.v1.ContainerAttributes;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.CpuUsage;
import dev.berth.cri.v1.FilesystemIdentifier;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.LinuxPodSandboxStats;
import dev.berth.cri.v1.MemoryUsage;
import dev.berth.cri.v1.NetworkInterfaceUsage;
import dev.berth.cri.v1.NetworkUsage;
import dev.berth.cri.v1.PodSandboxAttributes;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.ProcessUsage;
import dev.berth.cri.v1.UInt64Value;
import dev.berth.vm.guest.model.GuestUsage.ContainerUsage;
import dev.berth.vm.machine.MachineUsage;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodUsage.UsageSample;
import dev.berth.vm.pods.state.ContainerRecord;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Usage as messages of CRI. Containers are the guest's word; a pod is its machine as the host sees
/// it, because that is what the node pays.
///
/// @param machines the directory with the writable disks of machines
record UsageMessages(Path machines) {
  /// Empty for a container that the guest did not have when it was asked.
  Optional<ContainerStats> container(LiveContainer container, UsageSample sample) {
    return sample.guest().containers().stream()
        .filter(usage -> usage.id().equals(container.id()))
        .findFirst()
        .map(usage -> container(container.record(), usage, sample));
  }

  private ContainerStats container(
      ContainerRecord record, ContainerUsage usage, UsageSample sample) {
    long limit = record.resources().getLinux().getMemoryLimitInBytes();
    MemoryUsage.Builder memory =
        MemoryUsage.newBuilder()
            .setTimestamp(sample.time())
            .setWorkingSetBytes(value(usage.workingSetBytes()))
            .setUsageBytes(value(usage.memoryBytes()))
            .setRssBytes(value(usage.residentBytes()))
            .setPageFaults(value(usage.pageFaults()))
            .setMajorPageFaults(value(usage.majorPageFaults()));
    if (limit > 0) {
      memory.setAvailableBytes(value(limit - usage.workingSetBytes()));
    }
    return ContainerStats.newBuilder()
        .setAttributes(
            ContainerAttributes.newBuilder()
                .setId(record.id())
                .setMetadata(record.config().getMetadata())
                .putAllLabels(record.config().getLabelsMap())
                .putAllAnnotations(record.config().getAnnotationsMap()))
        .setCpu(cpu(usage.id(), usage.cpuNanos(), sample))
        .setMemory(memory)
        .setWritableLayer(
            FilesystemUsage.newBuilder()
                .setTimestamp(sample.time())
                .setFsId(FilesystemIdentifier.newBuilder().setMountpoint(machines.toString()))
                .setUsedBytes(value(usage.writableBytes()))
                .setInodesUsed(value(usage.writableFiles())))
        .build();
  }

  PodSandboxStats pod(LivePod pod, UsageSample sample) {
    MachineUsage machine = sample.machine();
    LinuxPodSandboxStats.Builder linux =
        LinuxPodSandboxStats.newBuilder()
            .setCpu(cpu("", machine.cpuNanos(), sample))
            .setMemory(
                MemoryUsage.newBuilder()
                    .setTimestamp(sample.time())
                    .setWorkingSetBytes(value(machine.privateBytes()))
                    .setUsageBytes(value(machine.residentBytes()))
                    .setRssBytes(value(machine.privateBytes())))
            .setNetwork(network(sample))
            .setProcess(
                ProcessUsage.newBuilder()
                    .setTimestamp(sample.time())
                    .setProcessCount(value(sample.guest().processes())));
    for (LiveContainer container : pod.containers()) {
      if (container.record().isRunning()) {
        container(container, sample).ifPresent(linux::addContainers);
      }
    }
    var config = pod.record().config();
    return PodSandboxStats.newBuilder()
        .setAttributes(
            PodSandboxAttributes.newBuilder()
                .setId(pod.id())
                .setMetadata(config.getMetadata())
                .putAllLabels(config.getLabelsMap())
                .putAllAnnotations(config.getAnnotationsMap()))
        .setLinux(linux)
        .build();
  }

  private static NetworkUsage network(UsageSample sample) {
    var counters = sample.guest().network();
    NetworkInterfaceUsage device =
        NetworkInterfaceUsage.newBuilder()
            .setName("eth0")
            .setRxBytes(value(counters.receivedBytes()))
            .setRxErrors(value(counters.receiveErrors()))
            .setTxBytes(value(counters.sentBytes()))
            .setTxErrors(value(counters.sendErrors()))
            .build();
    return NetworkUsage.newBuilder()
        .setTimestamp(sample.time())
        .setDefaultInterface(device)
        .addInterfaces(device)
        .build();
  }

  private static CpuUsage cpu(String name, long nanos, UsageSample sample) {
    CpuUsage.Builder cpu =
        CpuUsage.newBuilder().setTimestamp(sample.time()).setUsageCoreNanoSeconds(value(nanos));
    Map<String, Long> cores = sample.cores();
    if (cores.containsKey(name)) {
      cpu.setUsageNanoCores(value(cores.getOrDefault(name, 0L)));
    }
    return cpu.build();
  }

  /// A guest may report anything.
  private static UInt64Value value(long value) {
    return UInt64Value.newBuilder().setValue(Math.max(0, value)).build();
  }
}
