package dev.berth.sim.vm;

import dev.berth.cri.vm.v1.GuestStatus;
import dev.berth.cri.vm.v1.VirtualMachine;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineEventType;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineState;
import dev.berth.cri.vm.v1.VirtualMachineStatus;
import java.nio.file.Path;

/// Converts virtual machines to the contract's messages. Callers hold the machine's lock.
///
/// The configuration comes back as the client sent it; only network interfaces show what was chosen
/// for it.
final class VmViews {
  private VmViews() {}

  static VirtualMachine item(SimVm vm) {
    return VirtualMachine.newBuilder()
        .setId(vm.id)
        .setPodSandboxId(vm.sandbox.id())
        .setMetadata(vm.config.getMetadata())
        .setImage(vm.config.getImage())
        .setImageRef(vm.image.repositoryDigest())
        .setState(vm.state)
        .setCreatedAt(vm.createdAt)
        .putAllLabels(vm.config.getLabelsMap())
        .putAllAnnotations(vm.config.getAnnotationsMap())
        .build();
  }

  static VirtualMachineStatus status(SimVm vm) {
    VirtualMachineStatus.Builder status =
        VirtualMachineStatus.newBuilder()
            .setId(vm.id)
            .setPodSandboxId(vm.sandbox.id())
            .setMetadata(vm.config.getMetadata())
            .setState(vm.state)
            .setCreatedAt(vm.createdAt)
            .setStartedAt(vm.startedAt)
            .setFinishedAt(vm.finishedAt)
            .setReason(vm.reason)
            .setMessage(vm.message)
            .setBoots(vm.boots)
            .setImage(vm.config.getImage())
            .setImageRef(vm.image.repositoryDigest())
            .setResources(vm.config.getResources())
            .addAllNetworkInterfaces(vm.interfaces.values())
            .setLogPath(logPath(vm))
            .putAllLabels(vm.config.getLabelsMap())
            .putAllAnnotations(vm.config.getAnnotationsMap());
    // Only an agent in a running guest can report these facts.
    if (vm.config.getGuestAgent() && vm.state == VirtualMachineState.VIRTUAL_MACHINE_RUNNING) {
      status.setGuest(
          GuestStatus.newBuilder()
              .setHostname(vm.sandbox.config().getHostname())
              .setOsName("Simulated")
              .setOsVersion("1")
              .setKernelVersion("0.0.0-sim"));
    }
    return status.build();
  }

  static String logPath(SimVm vm) {
    String directory = vm.sandbox.config().getLogDirectory();
    String path = vm.config.getLogPath();
    return directory.isEmpty() || path.isEmpty() ? "" : Path.of(directory, path).toString();
  }

  static VirtualMachineEvent event(
      SimVm vm, VirtualMachineEventType type, String subject, long now) {
    VirtualMachineEvent.Builder event =
        VirtualMachineEvent.newBuilder()
            .setVirtualMachineId(vm.id)
            .setType(type)
            .setCreatedAt(now)
            .setPodSandboxId(vm.sandbox.id())
            .setPodSandboxMetadata(vm.sandbox.config().getMetadata())
            .setSubject(subject)
            .setMessage(vm.message);
    // A removed machine has no status any more.
    if (type != VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_REMOVED) {
      event.setStatus(status(vm));
    }
    return event.build();
  }

  static boolean fits(SimVm vm, VirtualMachineFilter filter) {
    return vm.id.startsWith(filter.getId())
        && vm.sandbox.id().startsWith(filter.getPodSandboxId())
        && (filter.getStatesCount() == 0 || filter.getStatesList().contains(vm.state))
        && vm.config.getLabelsMap().entrySet().containsAll(filter.getLabelSelectorMap().entrySet());
  }
}
