package dev.berth.sim.run;

import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.admin.AdminServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Simulated services that run together; all of them, or none.
public final class SimulatorGroup implements AutoCloseable {
  private final List<Simulator> simulators = new ArrayList<>();
  private final List<AutoCloseable> parts = new ArrayList<>();

  private SimulatorGroup() {}

  /// Listens everywhere when it returns.
  public static SimulatorGroup start(List<SimConfig> configs, SimContext world) {
    SimulatorGroup group = new SimulatorGroup();
    try {
      configs.forEach(config -> group.add(config, world));
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    return group;
  }

  public List<Simulator> simulators() {
    return List.copyOf(simulators);
  }

  @Override
  public void close() {
    List<AutoCloseable> latestFirst = new ArrayList<>(parts);
    Collections.reverse(latestFirst);
    for (AutoCloseable part : latestFirst) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException("a simulated service did not stop in order", e);
      }
    }
  }

  private void add(SimConfig config, SimContext world) {
    Simulator simulator = Simulator.start(config, world);
    simulators.add(simulator);
    parts.add(simulator);
    config.admin().ifPresent(socket -> parts.add(AdminServer.start(simulator, socket)));
  }
}
