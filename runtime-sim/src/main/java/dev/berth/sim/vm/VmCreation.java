package dev.berth.sim.vm;

import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_CREATED;

import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.model.Sandbox;
import io.grpc.Status;

/// How a virtual machine comes to be: one per sandbox, from an image that was pulled.
final class VmCreation {
  private final Vms vms;
  private final VmRules rules;
  private final VmNetwork network;

  VmCreation(Vms vms, VmRules rules, VmNetwork network) {
    this.vms = vms;
    this.rules = rules;
    this.network = network;
  }

  String create(String sandboxId, VirtualMachineConfig config) {
    return vms.machine.locked(
        () -> {
          Sandbox sandbox = sandbox(sandboxId);
          refuseSecond(sandbox, config);
          rules.check(config);
          Vm vm =
              new Vm(
                  vms.machine.ids().id(),
                  sandbox,
                  config,
                  image(config, sandbox),
                  vms.machine.timeline().nanos());
          network.attachConfigured(vm);
          vms.put(vm);
          vms.tell(vm, VIRTUAL_MACHINE_EVENT_CREATED, "");
          return vm.id;
        });
  }

  private Sandbox sandbox(String id) {
    Sandbox sandbox;
    try {
      sandbox = vms.machine.sandbox(id);
    } catch (Refusal e) {
      throw e.in("sandbox \"%s\"".formatted(id));
    }
    if (!sandbox.ready()) {
      throw Refusal.precondition("sandbox \"%s\" is not ready".formatted(sandbox.id()));
    }
    return sandbox;
  }

  private void refuseSecond(Sandbox sandbox, VirtualMachineConfig config) {
    for (Vm other : vms.all()) {
      if (other.sandbox == sandbox) {
        boolean same = other.config.getMetadata().equals(config.getMetadata());
        throw new Refusal(
            same ? Status.Code.ALREADY_EXISTS : Status.Code.FAILED_PRECONDITION,
            "sandbox \"%s\" has the virtual machine %s already"
                .formatted(sandbox.id(), other.name()));
      }
    }
  }

  private PulledImage image(VirtualMachineConfig config, Sandbox sandbox) {
    String name = config.getImage().getImage();
    String handler = vms.machine.knobs().profile().canonical(sandbox.handler());
    return vms.machine
        .images()
        .find(name, handler)
        .or(() -> vms.machine.images().find(name, ""))
        .orElseThrow(
            () -> Refusal.notFound("failed to resolve image \"%s\": not found".formatted(name)));
  }
}
