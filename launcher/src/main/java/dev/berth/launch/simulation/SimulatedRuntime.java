package dev.berth.launch.simulation;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimProfile;
import java.time.Clock;
import java.util.Random;
import java.util.UUID;

/// A simulated runtime in this process, for machines that have no real one. Its pods end with the
/// process.
public final class SimulatedRuntime implements AutoCloseable {
  private static final String NAME = "simulator";

  private final SimContext world;
  private final Simulator simulator;

  private SimulatedRuntime(SimContext world, Simulator simulator) {
    this.world = world;
    this.simulator = simulator;
  }

  public static SimulatedRuntime start(SimProfile profile, Clock clock) {
    return start(profile, new CriEndpoint.InProcess(NAME + "-" + UUID.randomUUID()), clock);
  }

  public static SimulatedRuntime start(SimProfile profile, CriEndpoint endpoint, Clock clock) {
    SimContext world = new SimContext(clock, new Random());
    return new SimulatedRuntime(
        world, Simulator.start(SimConfig.of(NAME, endpoint, profile), world));
  }

  public RuntimeDeclaration declaration() {
    return new RuntimeDeclaration(NAME, WorkloadType.CONTAINER, simulator.endpoint());
  }

  @Override
  public void close() {
    simulator.close();
    world.close();
  }
}
