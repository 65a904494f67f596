package dev.berth.launch.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint.EndpointException;
import dev.berth.launch.process.LaunchException;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.admin.AdminException;
import dev.berth.sim.config.ConfigErrors;
import dev.berth.sim.config.ConfigReader;
import dev.berth.sim.config.ConfigYaml;
import dev.berth.sim.config.FlagRules;
import dev.berth.sim.run.SimulatorGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Simulated runtime services in this process, which end with it.
public final class SimulatedServices implements AutoCloseable {
  /// The services that a command line requests.
  ///
  /// @param settings fields of one service
  /// @param rules lists of rules to add: `faults`, `exits`, `handlers`, `images`, `registries`
  public record Request(
      Optional<Path> file, Map<String, String> settings, Map<String, List<String>> rules) {}

  /// A service that listens.
  public record Service(String name, String platform, String endpoint, Optional<Path> admin) {}

  private final SimContext world;
  private final SimulatorGroup group;
  private final List<SimConfig> configs;

  private SimulatedServices(SimContext world, SimulatorGroup group, List<SimConfig> configs) {
    this.world = world;
    this.group = group;
    this.configs = configs;
  }

  /// The mistakes of a request, all at once; nothing is started.
  public static List<String> mistakes(Request request) {
    ConfigErrors mistakes = new ConfigErrors();
    read(request, mistakes);
    return mistakes.list();
  }

  /// Starts the services, which listen when the method returns. A request with mistakes is a
  /// programming error here: callers check with [#mistakes].
  public static SimulatedServices start(Request request) {
    ConfigErrors mistakes = new ConfigErrors();
    List<SimConfig> configs = read(request, mistakes);
    if (!mistakes.none()) {
      throw new IllegalStateException(String.join("; ", mistakes.list()));
    }
    SimContext world = new SimContext(Clock.systemUTC(), new SecureRandom());
    try {
      return new SimulatedServices(world, SimulatorGroup.start(configs, world), configs);
    } catch (EndpointException e) {
      throw failed(world, e.problem(), e);
    } catch (AdminException e) {
      throw failed(world, e.problem(), e);
    }
  }

  public List<Service> services() {
    List<Service> services = new ArrayList<>();
    for (int i = 0; i < configs.size(); i++) {
      SimConfig config = configs.get(i);
      services.add(
          new Service(
              config.name(),
              config.profile().platform().toString(),
              group.simulators().get(i).endpoint().toString(),
              config.admin()));
    }
    return services;
  }

  @Override
  public void close() {
    group.close();
    world.close();
  }

  private static LaunchException failed(SimContext world, Problem problem, Exception cause) {
    world.close();
    return new LaunchException(problem, cause);
  }

  private static List<SimConfig> read(Request request, ConfigErrors mistakes) {
    JsonNode file =
        request.file().map(path -> file(path, mistakes)).orElse(MissingNode.getInstance());
    if (!mistakes.none()) {
      return List.of();
    }
    JsonNode merged = FlagRules.merged(file, request.settings(), request.rules(), mistakes);
    return new ConfigReader(mistakes).read(merged);
  }

  private static JsonNode file(Path path, ConfigErrors mistakes) {
    try {
      return ConfigYaml.read(Files.readString(path), mistakes);
    } catch (IOException e) {
      mistakes.add("--config=" + path, "cannot be read: " + e.getClass().getSimpleName());
      return MissingNode.getInstance();
    }
  }
}
