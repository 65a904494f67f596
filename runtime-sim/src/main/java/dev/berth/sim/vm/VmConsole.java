package dev.berth.sim.vm;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.ConsoleKind;
import dev.berth.cri.vm.v1.OpenConsoleRequest;
import io.grpc.Status;

/// Opens the serial consoles of virtual machines. A console is a small shell of the simulator and
/// not the guest's: there is no guest. It can be opened several times at once.
public final class VmConsole {
  /// Keeps prepared consoles until their client connects.
  public interface Consoles {
    /// Returns a URL at which the guest's terminal can be used once.
    String console(String guest, boolean readonly);
  }

  private final SimVms vms;
  private final Consoles consoles;

  VmConsole(SimVms vms, Consoles consoles) {
    this.vms = vms;
    this.consoles = consoles;
  }

  String open(OpenConsoleRequest request) {
    // A VNC console would need a picture; Capabilities offers the serial one only.
    if (request.getKind() != ConsoleKind.CONSOLE_SERIAL) {
      throw new CallRefusal(
          Status.Code.UNIMPLEMENTED, "only serial consoles are simulated: see Capabilities");
    }
    String guest =
        vms.machine.locked(
            () -> {
              SimVm vm = vms.find(request.getVirtualMachineId());
              if (!vm.isOn()) {
                throw vm.cannot("opened at its console");
              }
              return vm.name();
            });
    return consoles.console(guest, request.getReadonly());
  }
}
