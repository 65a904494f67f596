package dev.berth.sim.vm;

import dev.berth.cri.vm.v1.CpuStats;
import dev.berth.cri.vm.v1.DiskStats;
import dev.berth.cri.vm.v1.MemoryStats;
import dev.berth.cri.vm.v1.NetworkStats;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineStats;
import java.util.List;

/// Simulated resource usage of virtual machines: a tenth of their processors, half of their memory.
/// Counters count from the last start, and a machine that is off reports none: in the contract a
/// missing figure is not zero.
final class VmStatistics {
  private static final long NANO_CORE = 1_000_000_000L;

  /// Traffic of disks and interfaces, so that rates can be computed from counters.
  private static final long BYTES_PER_SECOND = 1024;

  private final SimVms vms;

  VmStatistics(SimVms vms) {
    this.vms = vms;
  }

  VirtualMachineStats of(String id) {
    return vms.machine.locked(() -> stats(vms.find(id)));
  }

  List<VirtualMachineStats> list(VirtualMachineFilter filter) {
    return vms.machine.locked(
        () -> vms.matching(filter).stream().filter(SimVm::isOn).map(this::stats).toList());
  }

  private VirtualMachineStats stats(SimVm vm) {
    long now = vms.machine.timeline().nanos();
    VirtualMachineStats.Builder stats =
        VirtualMachineStats.newBuilder()
            .setId(vm.id)
            .setPodSandboxId(vm.sandbox.id())
            .setMetadata(vm.config.getMetadata())
            .putAllLabels(vm.config.getLabelsMap())
            .setTimestamp(now);
    if (!vm.isOn()) {
      return stats.build();
    }
    long seconds = Math.max(0, now - vm.startedAt) / NANO_CORE;
    long cores = vm.config.getResources().getVcpus() * NANO_CORE / 10;
    long memory = vm.config.getResources().getMemoryBytes();
    stats
        .setCpu(
            CpuStats.newBuilder().setUsageNanoCores(cores).setUsageCoreNanoSeconds(cores * seconds))
        .setMemory(
            MemoryStats.newBuilder()
                .setConfiguredBytes(memory)
                .setResidentBytes(memory / 2)
                .setGuestUsedBytes(memory / 2)
                .setGuestAvailableBytes(memory - memory / 2))
        .addDisks(
            DiskStats.newBuilder()
                .setName("boot")
                .setReadBytes(vm.image.size())
                .setWrittenBytes(seconds * BYTES_PER_SECOND)
                .setCapacityBytes(
                    Math.max(vm.image.size(), vm.config.getResources().getBootDiskBytes()))
                .setAllocatedBytes(vm.image.size()));
    vm.interfaces
        .keySet()
        .forEach(
            name ->
                stats.addNetworkInterfaces(
                    NetworkStats.newBuilder()
                        .setName(name)
                        .setRxBytes(seconds * BYTES_PER_SECOND)
                        .setTxBytes(seconds * BYTES_PER_SECOND / 2)));
    return stats.build();
  }
}
