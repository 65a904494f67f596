package dev.berth.sim.vm;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.Boot;
import dev.berth.cri.vm.v1.CapabilitiesResponse;
import dev.berth.cri.vm.v1.Capability;
import dev.berth.cri.vm.v1.CpuTopology;
import dev.berth.cri.vm.v1.DiskBus;
import dev.berth.cri.vm.v1.DiskFormat;
import dev.berth.cri.vm.v1.Firmware;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineResources;
import dev.berth.sim.profile.SimProfile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The limits of the simulated hypervisor, and the requests that it refuses. Capabilities and
/// checks are in one class, so that the service refuses exactly what it does not offer.
final class VmRules {
  private static final int MOST_INTERFACES = 8;

  /// The contract's limit of cloud-init user data, in bytes.
  private static final int MOST_USER_DATA = 65_535;

  /// Memory of the hypervisor process beside the guest's memory.
  private static final long OVERHEAD = 64L * 1024 * 1024;

  private static final List<String> MACHINES = List.of("sim");
  private static final List<String> MODELS = List.of("host");
  private static final List<String> NETWORK_MODELS = List.of("virtio");

  private final SimProfile profile;

  VmRules(SimProfile profile) {
    this.profile = profile;
  }

  CapabilitiesResponse capabilities() {
    return CapabilitiesResponse.newBuilder()
        .setHypervisor(profile.runtimeName())
        .setHypervisorVersion(profile.runtimeVersion())
        .setArchitecture(profile.platform().architecture())
        .addAccelerators("sim")
        .addAllCapabilities(
            List.of(
                Capability.PAUSE,
                Capability.GRACEFUL_SHUTDOWN,
                Capability.SNAPSHOT,
                Capability.LIVE_SNAPSHOT,
                Capability.MEMORY_SNAPSHOT,
                Capability.QUIESCED_SNAPSHOT,
                Capability.NETWORK_HOT_PLUG,
                Capability.SERIAL_CONSOLE,
                Capability.CLOUD_INIT,
                Capability.SHARED_DIRECTORIES,
                Capability.UEFI,
                Capability.SECURE_BOOT,
                Capability.DIRECT_KERNEL_BOOT,
                Capability.GUEST_AGENT))
        .addAllMachineTypes(MACHINES)
        .addAllCpuModels(MODELS)
        .addAllDiskFormats(List.of(DiskFormat.DISK_FORMAT_RAW, DiskFormat.DISK_FORMAT_QCOW2))
        .addAllDiskBuses(List.of(DiskBus.DISK_BUS_VIRTIO, DiskBus.DISK_BUS_SCSI))
        .addAllNetworkModels(NETWORK_MODELS)
        .setMaxVcpus(profile.cpus())
        .setMaxNetworkInterfaces(MOST_INTERFACES)
        .setOverheadMemoryBytes(OVERHEAD)
        .build();
  }

  /// Refuses a configuration with INVALID_ARGUMENT and a message that names what is accepted.
  void check(VirtualMachineConfig config) {
    require(config.hasMetadata(), "virtual machine config must include metadata");
    checkResources(config.getResources());
    checkBoot(config.getBoot());
    Set<String> disks = new HashSet<>();
    config
        .getDisksList()
        .forEach(
            disk -> require(disks.add(disk.getName()), "two disks are named " + disk.getName()));
    require(config.getHostDevicesCount() == 0, "host devices are not simulated: see Capabilities");
    require(
        config.getCloudInit().getUserData().size() <= MOST_USER_DATA,
        "cloud-init user data has %d bytes, accepted are %d"
            .formatted(config.getCloudInit().getUserData().size(), MOST_USER_DATA));
    require(
        config.getNetworkInterfacesCount() <= MOST_INTERFACES,
        "%d network interfaces, accepted are %d"
            .formatted(config.getNetworkInterfacesCount(), MOST_INTERFACES));
  }

  void checkInterface(int present, String model) {
    require(
        present < MOST_INTERFACES,
        "there are %d network interfaces, which is the limit".formatted(present));
    oneOf("network model", model, NETWORK_MODELS);
  }

  private void checkResources(VirtualMachineResources resources) {
    require(
        resources.getVcpus() >= 1 && resources.getVcpus() <= profile.cpus(),
        "vcpus is %d, accepted are 1 to %d".formatted(resources.getVcpus(), profile.cpus()));
    require(resources.getMemoryBytes() > 0, "memory_bytes is 0: a virtual machine needs memory");
    if (resources.hasCpuTopology()) {
      CpuTopology cpus = resources.getCpuTopology();
      // The contract leaves no processor over: the topology must describe exactly the requested
      // number.
      int product = cpus.getSockets() * cpus.getCores() * cpus.getThreads();
      require(
          product == resources.getVcpus(),
          "cpu_topology makes %d processors, vcpus is %d".formatted(product, resources.getVcpus()));
    }
    oneOf("cpu_model", resources.getCpuModel(), MODELS);
  }

  private static void checkBoot(Boot boot) {
    oneOf("machine_type", boot.getMachineType(), MACHINES);
    require(
        !boot.getSecureBoot() || boot.getFirmware() == Firmware.FIRMWARE_UEFI,
        "secure_boot needs FIRMWARE_UEFI");
    require(!boot.getTpm(), "a TPM is not simulated: see Capabilities");
  }

  /// Refuses a value that is not offered; an empty one leaves the choice to the runtime.
  private static void oneOf(String field, String value, List<String> accepted) {
    require(
        value.isEmpty() || accepted.contains(value),
        "%s is \"%s\", accepted are %s".formatted(field, value, String.join(", ", accepted)));
  }

  private static void require(boolean holds, String complaint) {
    if (!holds) {
      throw CallRefusal.invalid(complaint);
    }
  }
}
