package dev.berth.sim.vm;

import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_CREATED;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.model.SimSandbox;
import io.grpc.Status;

/// Creates virtual machines: one per sandbox, from an image that was pulled.
///
/// A second request with the same metadata gets ALREADY_EXISTS, which shows a client that its first
/// request succeeded although the answer was lost. Any other second machine is a mistake.
final class VmCreation {
  private final SimVms vms;
  private final VmRules rules;
  private final VmNetwork network;

  VmCreation(SimVms vms, VmRules rules, VmNetwork network) {
    this.vms = vms;
    this.rules = rules;
    this.network = network;
  }

  String create(String sandboxId, VirtualMachineConfig config) {
    return vms.machine.locked(
        () -> {
          SimSandbox sandbox = sandbox(sandboxId);
          refuseSecond(sandbox, config);
          rules.check(config);
          SimVm vm =
              new SimVm(
                  vms.machine.ids().id(),
                  sandbox,
                  config,
                  image(config, sandbox),
                  vms.machine.timeline().nanos());
          network.attachConfigured(vm);
          vms.put(vm);
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_CREATED, "");
          return vm.id;
        });
  }

  private SimSandbox sandbox(String id) {
    SimSandbox sandbox;
    try {
      sandbox = vms.machine.sandbox(id);
    } catch (CallRefusal e) {
      throw e.in("sandbox \"%s\"".formatted(id));
    }
    if (!sandbox.ready()) {
      throw CallRefusal.precondition("sandbox \"%s\" is not ready".formatted(sandbox.id()));
    }
    return sandbox;
  }

  private void refuseSecond(SimSandbox sandbox, VirtualMachineConfig config) {
    for (SimVm other : vms.all()) {
      if (other.sandbox == sandbox) {
        boolean same = other.config.getMetadata().equals(config.getMetadata());
        throw new CallRefusal(
            same ? Status.Code.ALREADY_EXISTS : Status.Code.FAILED_PRECONDITION,
            "sandbox \"%s\" already has the virtual machine %s"
                .formatted(sandbox.id(), other.name()));
      }
    }
  }

  private PulledImage image(VirtualMachineConfig config, SimSandbox sandbox) {
    String name = config.getImage().getImage();
    String handler = vms.machine.knobs().profile().canonical(sandbox.handler());
    return vms.machine
        .images()
        .find(name, handler)
        .or(() -> vms.machine.images().find(name, ""))
        .orElseThrow(
            () ->
                CallRefusal.notFound("failed to resolve image \"%s\": not found".formatted(name)));
  }
}
