package dev.berth.sim.vm;

import dev.berth.cri.vm.v1.ConsoleKind;
import dev.berth.cri.vm.v1.OpenConsoleRequest;
import dev.berth.sim.call.CallRefusal;
import io.grpc.Status;

/// Serial consoles of virtual machines.
public final class VmConsole {
  /// Where a prepared console waits for a client.
  public interface Consoles {
    /// Answers the URL at which the guest's terminal can be used once.
    String console(String guest, boolean readonly);
  }

  private final SimVms vms;
  private final Consoles consoles;

  VmConsole(SimVms vms, Consoles consoles) {
    this.vms = vms;
    this.consoles = consoles;
  }

  String open(OpenConsoleRequest request) {
    if (request.getKind() != ConsoleKind.CONSOLE_SERIAL) {
      throw new CallRefusal(
          Status.Code.UNIMPLEMENTED, "only serial consoles are simulated: see Capabilities");
    }
    String guest =
        vms.machine.locked(
            () -> {
              SimVm vm = vms.find(request.getVirtualMachineId());
              if (!vm.isOn()) {
                throw vm.cannot("looked at");
              }
              return vm.name();
            });
    return consoles.console(guest, request.getReadonly());
  }
}
