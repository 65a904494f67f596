package dev.berth.sim.vm;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.NetworkInterfaceStatus;
import dev.berth.cri.vm.v1.Snapshot;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineState;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.model.ContainerLog;
import dev.berth.sim.model.SimSandbox;
import dev.berth.sim.time.SimClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A virtual machine. The lock of its `SimMachine` guards all fields that can change.
final class SimVm {
  final String id;
  final SimSandbox sandbox;
  final VirtualMachineConfig config;
  final PulledImage image;
  final long createdAt;
  final Map<String, NetworkInterfaceStatus> interfaces = new LinkedHashMap<>();
  final List<Snapshot> snapshots = new ArrayList<>();
  VirtualMachineState state = VirtualMachineState.VIRTUAL_MACHINE_CREATED;
  long startedAt;
  long finishedAt;
  String reason = "";
  String message = "";

  /// Starts and reboots since the creation.
  int boots;

  /// The name of the snapshot that was taken or restored last.
  String lastSnapshot = "";

  /// The timer that ends the guest, if an exit rule matched.
  SimClock.@Nullable Timer ending;

  @Nullable ContainerLog console;

  SimVm(
      String id,
      SimSandbox sandbox,
      VirtualMachineConfig config,
      PulledImage image,
      long createdAt) {
    this.id = id;
    this.sandbox = sandbox;
    this.config = config;
    this.image = image;
    this.createdAt = createdAt;
  }

  String name() {
    return config.getMetadata().getName();
  }

  boolean isOn() {
    return state == VirtualMachineState.VIRTUAL_MACHINE_RUNNING
        || state == VirtualMachineState.VIRTUAL_MACHINE_PAUSED;
  }

  /// The refusal of an operation in the current state.
  CallRefusal cannot(String verb) {
    String word =
        state.name().substring("VIRTUAL_MACHINE_".length()).toLowerCase(java.util.Locale.ROOT);
    return CallRefusal.precondition(
        "virtual machine %s cannot be %s: it is %s".formatted(name(), verb, word));
  }
}
