package dev.berth.checks.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.TestImages;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.config.ConfigErrors;
import dev.berth.sim.config.ConfigReader;
import dev.berth.sim.config.ConfigYaml;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The contract as the simulator keeps it when it is to be like Debian's containerd.
class SimulatorContractIT
    implements SandboxContract,
        ContainerContract,
        StreamContract,
        ImageContract,
        PullContract,
        CallContract {
  @TempDir private static Path directory;
  private static @Nullable SimContext world;
  private static @Nullable Simulator simulator;
  private static @Nullable Cri cri;
  private static @Nullable DebianRegistry registry;
  @TempDir private Path logs;

  @BeforeAll
  static void start() throws Exception {
    registry = DebianRegistry.isInstalled() ? DebianRegistry.start(directory) : null;
    Path socket = directory.resolve("sim.sock");
    String yaml =
        """
        endpoint: unix://%1$s
        compatibility: containerd-1.6
        images: [{reference: "%2$s", present: true}]
        registries: [{host: "%3$s", endpoint: "http://%3$s"}]
        """
            .formatted(
                socket, TestImages.BUSYBOX, registry == null ? "localhost:1" : registry.host());
    ConfigErrors mistakes = new ConfigErrors();
    SimConfig config = new ConfigReader(mistakes).read(ConfigYaml.read(yaml, mistakes)).getFirst();
    world = new SimContext(Clock.systemUTC(), new Random());
    simulator = Simulator.start(config, world);
    cri = new Cri(socket);
  }

  @BeforeEach
  void logHere() {
    cri().logTo(logs);
  }

  @AfterAll
  static void stop() {
    if (cri != null) {
      cri.close();
    }
    if (simulator != null) {
      simulator.close();
    }
    if (world != null) {
      world.close();
    }
    if (registry != null) {
      registry.close();
    }
  }

  @Override
  public DebianRegistry registry() {
    assumeTrue(registry != null);
    return requireNonNull(registry);
  }

  @Override
  public Cri cri() {
    return requireNonNull(cri);
  }

  @Override
  public String handler() {
    return "runc";
  }
}
