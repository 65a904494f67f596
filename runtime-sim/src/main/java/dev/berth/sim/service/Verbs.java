package dev.berth.sim.service;

import dev.berth.sim.model.ContainerLife;
import dev.berth.sim.model.Execution;
import dev.berth.sim.model.Inventory;
import dev.berth.sim.model.Machine;
import dev.berth.sim.model.SandboxLife;
import dev.berth.sim.model.Statistics;

/// What can be done with one machine.
public record Verbs(
    SandboxLife sandboxes,
    ContainerLife containers,
    Inventory inventory,
    Statistics statistics,
    Execution execution) {
  public static Verbs of(Machine machine, String mountpoint) {
    ContainerLife containers = new ContainerLife(machine);
    Inventory inventory = new Inventory(machine);
    return new Verbs(
        new SandboxLife(machine, containers),
        containers,
        inventory,
        new Statistics(machine, inventory, mountpoint),
        new Execution(machine));
  }
}
