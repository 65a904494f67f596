package dev.berth.vm.pods;

import dev.berth.vm.machine.VirtualMachines;
import dev.berth.vm.network.PodNetworks;

/// Removes what a sandbox has on the host; does nothing where nothing is.
public final class SandboxTeardown {
  private final VirtualMachines machines;
  private final PodNetworks networks;

  public SandboxTeardown(RuntimeParts parts) {
    this.machines = parts.machines();
    this.networks = parts.networks();
  }

  /// Ends the machine, then the network, which the machine uses.
  public void dismantle(LivePod pod) {
    pod.guest().ifPresent(PodGuest::close);
    // The end of the machine is wanted from here on, and no report.
    pod.guest(null);
    dismantle(pod.id());
  }

  void dismantle(String sandbox) {
    machines.remove(sandbox);
    networks.remove(sandbox);
  }
}
