package dev.berth.sim.vm;

import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineFilter;

/// Selects the events that a client requests. The event of a removed virtual machine has no state
/// and no labels any more, so filters by them let it pass: a client must learn of every removal.
record EventFilter(VirtualMachineFilter filter) {
  boolean fits(VirtualMachineEvent event) {
    return event.getVirtualMachineId().startsWith(filter.getId())
        && event.getPodSandboxId().startsWith(filter.getPodSandboxId())
        && (!event.hasStatus() || fitsStatus(event));
  }

  private boolean fitsStatus(VirtualMachineEvent event) {
    return (filter.getStatesCount() == 0
            || filter.getStatesList().contains(event.getStatus().getState()))
        && event
            .getStatus()
            .getLabelsMap()
            .entrySet()
            .containsAll(filter.getLabelSelectorMap().entrySet());
  }
}
