package dev.berth.sim.run;

import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.admin.AdminServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Simulated services that start together: all of them, or none.
public final class SimulatorGroup implements AutoCloseable {
  private final List<Simulator> simulators = new ArrayList<>();
  private final List<AutoCloseable> parts = new ArrayList<>();

  private SimulatorGroup() {}

  /// Starts all services. All of them listen when the method returns.
  public static SimulatorGroup start(List<SimConfig> configs, SimContext context) {
    SimulatorGroup group = new SimulatorGroup();
    try {
      configs.forEach(config -> group.add(config, context));
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
    // An admin endpoint closes before its service, so that no request meets a closed service.
    List<AutoCloseable> latestFirst = new ArrayList<>(parts);
    Collections.reverse(latestFirst);
    for (AutoCloseable part : latestFirst) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException("a simulated service failed to stop", e);
      }
    }
  }

  private void add(SimConfig config, SimContext context) {
    Simulator simulator = Simulator.start(config, context);
    simulators.add(simulator);
    parts.add(simulator);
    config.admin().ifPresent(socket -> parts.add(AdminServer.start(simulator, socket)));
  }
}
