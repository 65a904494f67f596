package dev.berth.launch.rehearsal;

import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.NodeSystem;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.join.JoinTokens;
import dev.berth.launch.join.NodeJoin;
import dev.berth.launch.simulation.CatalogEntries;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A node of a cluster: a real agent that joined by token, with a simulated runtime behind a unix
/// socket like that of a real one. Only the runtime is simulated, so that a rehearsal exercises the
/// agent that production has.
public final class SimulatedNode implements AutoCloseable {
  /// The properties of a node.
  ///
  /// @param version of Windows; empty for Linux
  /// @param handlers the first is the default; none for those of a simulated node of its system
  /// @param isContainerd whether the runtime answers as containerd, which ignores the handler in
  ///   image calls
  public record Plan(
      String name,
      String version,
      List<SimHandler> handlers,
      Map<String, String> labels,
      List<Taint> taints,
      boolean isContainerd) {
    public static Plan linux(String name, String... handlers) {
      return new Plan(
          name,
          "",
          List.of(handlers).stream().map(Plan::plain).toList(),
          Map.of(),
          List.of(),
          false);
    }

    public static Plan windows(String name, String version, SimHandler... handlers) {
      Taint taint = new Taint("windows", "true", "NoSchedule");
      return new Plan(name, version, List.of(handlers), Map.of(), List.of(taint), false);
    }

    public static SimHandler plain(String name) {
      return new SimHandler(name, false, "io.containerd.sim.v1", Map.of(), true, true);
    }

    public Plan labelled(String key, String value) {
      return new Plan(name, version, handlers, Map.of(key, value), taints, isContainerd);
    }

    public Plan tainted(String key) {
      return new Plan(
          name,
          version,
          handlers,
          labels,
          List.of(new Taint(key, "true", "NoSchedule")),
          isContainerd);
    }

    public Plan ofContainerd() {
      return new Plan(name, version, handlers, labels, taints, true);
    }

    private NodeSystem system() {
      return NodeSystem.parse(version.isEmpty() ? "linux" : "windows:" + version).orElseThrow();
    }

    /// The profile of the runtime. Without handlers in the plan it has those of its system.
    private SimProfile profile() {
      return isContainerd ? withHandlers().asContainerd() : withHandlers();
    }

    private SimProfile withHandlers() {
      if (handlers.isEmpty()) {
        return system().simulated();
      }
      List<SimHandler> marked = new ArrayList<>();
      for (SimHandler handler : handlers) {
        marked.add(
            new SimHandler(
                handler.name(),
                marked.isEmpty(),
                handler.type(),
                handler.options(),
                handler.recursiveReadOnlyMounts(),
                handler.userNamespaces()));
      }
      return system().simulated().withHandlers(marked);
    }
  }

  /// Pods get no cgroups, so that the node needs no privileges, and no pressure rules, so that the
  /// load of this machine does not decide a story.
  private static final PodSettings PODS =
      PodSettings.USUAL.with(PodSettings.Groups.UNWANTED).with(PressureRules.NONE);

  private final Simulator simulator;
  private final StandaloneAgent agent;

  private SimulatedNode(Simulator simulator, StandaloneAgent agent) {
    this.simulator = simulator;
    this.agent = agent;
  }

  /// Starts the runtime, and then an agent that joins with the token.
  public static SimulatedNode start(
      Plan plan, ImageCatalog images, SimContext world, Path directory, JoinTokens.Made token)
      throws InterruptedException {
    CriEndpoint endpoint = new CriEndpoint.UnixSocket(directory.resolve(plan.name() + ".sock"));
    Simulator simulator =
        Simulator.start(SimConfig.of(plan.name(), endpoint, plan.profile()).with(images), world);
    AgentConfig config =
        new AgentConfig(
                directory.resolve(plan.name()),
                plan.name(),
                InetAddress.getLoopbackAddress(),
                0,
                List.of(
                    new RuntimeDeclaration(
                        "containerd", WorkloadType.CONTAINER, simulator.endpoint())),
                new AgentConfig.Traits(
                    plan.labels(),
                    plan.taints(),
                    110,
                    Map.of(),
                    ReadinessPolicy.PARTIAL,
                    PODS,
                    plan.system()))
            .with(new CatalogEntries(images));
    return new SimulatedNode(
        simulator, StandaloneAgent.start(config, new NodeJoin.Join(token.server(), token.token())));
  }

  public Simulator simulator() {
    return simulator;
  }

  @Override
  public void close() {
    agent.close();
    simulator.close();
  }
}
