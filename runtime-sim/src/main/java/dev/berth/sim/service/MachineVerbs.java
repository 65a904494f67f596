package dev.berth.sim.service;

import dev.berth.sim.model.CommandExecution;
import dev.berth.sim.model.ContainerLifecycle;
import dev.berth.sim.model.MachineInventory;
import dev.berth.sim.model.SandboxLifecycle;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.model.UsageStatistics;

/// The operations on one simulated machine, shared by its gRPC services and the admin endpoint.
public record MachineVerbs(
    SandboxLifecycle sandboxes,
    ContainerLifecycle containers,
    MachineInventory inventory,
    UsageStatistics statistics,
    CommandExecution execution) {
  public static MachineVerbs of(SimMachine machine, String mountpoint) {
    ContainerLifecycle containers = new ContainerLifecycle(machine);
    MachineInventory inventory = new MachineInventory(machine);
    return new MachineVerbs(
        new SandboxLifecycle(machine, containers),
        containers,
        inventory,
        new UsageStatistics(machine, inventory, mountpoint),
        new CommandExecution(machine));
  }
}
