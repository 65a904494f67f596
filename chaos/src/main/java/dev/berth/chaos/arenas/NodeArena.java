package dev.berth.chaos.arenas;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.chaos.faults.FaultKind;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.fuzz.HostileRuntime;
import dev.berth.chaos.load.ApiCaller;
import dev.berth.chaos.load.PodLoad;
import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.ProcessClock;
import dev.berth.launch.containerd.ContainerdTeardown;
import dev.berth.launch.containerd.images.LocalImages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A server, a node with containerd, and a node with a simulator behind a hostile runtime service.
///
/// Wrong answers of a real runtime would leave real containers behind, so that the hostile service
/// has a simulator behind it.
public final class NodeArena implements AttackArena {
  private static final String REAL = "node-1";
  private static final String SIMULATED = "node-2";

  /// Pods that no fault may restart.
  private static final int STEADY_PODS = 3;

  /// The number of pods that come and go on the simulated node: enough that the hostile runtime
  /// receives many calls.
  private static final int SIMULATED_CHURNS = 4;

  /// Paths through the API server, which the node trusts.
  private static final List<String> NODE_PATHS =
      Stream.of("pods", "stats/summary", "metrics", "containerLogs/default/a/b", "exec/default/a/b")
          .map(path -> "/api/v1/nodes/" + REAL + "/proxy/" + path)
          .toList();

  private final ArenaContext context;
  private final String groups;
  private final ServerUnderAttack server;
  private final ContainerdUnderAttack containerd;
  private final ManagedProcess simulator;
  private final HostileRuntime runtime;
  private final AgentUnderAttack realAgent;
  private final AgentUnderAttack simulatedAgent;
  private final NodeLeftovers leftovers;
  private @Nullable PodLoad load;
  private Map<String, Long> before = Map.of();

  public NodeArena(ArenaContext context) throws IOException {
    this.context = context;
    Path directory = context.directory();
    // Process ids are those of a namespace, so they cannot distinguish two runs.
    this.groups = "/berth-chaos-" + Long.toHexString(System.nanoTime());
    this.server =
        new ServerUnderAttack(context, "server-of-nodes", directory.resolve("server"), List.of());
    this.containerd = ContainerdUnderAttack.start(directory.resolve("containerd"));
    Path simulated = directory.resolve("sim.sock");
    this.simulator =
        new ManagedProcess(
            "sim",
            BerthProgram.command("192m", List.of("sim", "--endpoint", "unix://" + simulated)),
            Map.of(),
            directory.resolve("sim.log"));
    Path hostile = directory.resolve("hostile.sock");
    this.runtime = HostileRuntime.start(hostile, simulated, context.log());
    this.realAgent =
        new AgentUnderAttack(context, REAL, server.kubeconfig(), containerd.socket(), groups);
    this.simulatedAgent =
        new AgentUnderAttack(context, SIMULATED, server.kubeconfig(), hostile, groups + "-sim");
    this.leftovers =
        new NodeLeftovers(containerd, directory, realAgent.dataDir().resolve("agent/pods"), groups);
  }

  @Override
  public void start() throws IOException {
    server.start();
    simulator.start();
    realAgent.process().start();
    simulatedAgent.process().start();
    ConditionWait.until("the nodes are ready", () -> nodesObstacle().isEmpty());
    // Counted when the nodes are ready and no pod exists yet.
    before = leftovers.counts();
    realAgent.bounds().begin();
    simulatedAgent.bounds().begin();
    PodLoad pods =
        new PodLoad(server.credentials(), context.calm(), context.log(), LocalImages.DEMO);
    load = pods;
    pods.keep(REAL, STEADY_PODS);
    ConditionWait.until("the steady pods run", () -> pods.obstacle().isEmpty());
    pods.churn(REAL, 1);
    pods.churn(SIMULATED, SIMULATED_CHURNS);
  }

  @Override
  public List<FaultOption> faults() {
    List<FaultOption> faults = new ArrayList<>();
    for (ManagedProcess process : processes()) {
      faults.add(ProcessFaults.kill(process));
      faults.add(ProcessFaults.stop(process));
    }
    faults.add(
        FaultOption.of(
            FaultKind.KILL, "containerd", 0, 1_500, ProcessFaults.of(containerd::kill, () -> {})));
    faults.add(
        FaultOption.of(
            FaultKind.STOP,
            "containerd",
            200,
            8_000,
            ProcessFaults.of(containerd::stop, containerd::resume)));
    faults.add(ProcessFaults.cut(server.port()));
    faults.add(ProcessFaults.cut(realAgent.port()));
    faults.add(ProcessFaults.cut(simulatedAgent.port()));
    faults.add(
        ProcessFaults.hostileClient(
            context,
            server,
            List.of(new InetSocketAddress(realAgent.port().address(), 10250)),
            NODE_PATHS));
    if (ProcessClock.isAvailable()) {
      faults.add(ProcessFaults.jump(server.process().name(), server.clock()));
      faults.add(ProcessFaults.jump(REAL, realAgent.clock()));
    }
    faults.add(
        FaultOption.of(
            FaultKind.HOSTILE_RUNTIME,
            "runtime service",
            5_000,
            20_000,
            ProcessFaults.seeded(runtime::attack, runtime::relent)));
    return faults;
  }

  @Override
  public List<ManagedProcess> processes() {
    return List.of(server.process(), realAgent.process(), simulatedAgent.process(), simulator);
  }

  /// Why the system is not ready: server, containerd, nodes and steady pods, in this order.
  @Override
  public String obstacle() {
    String obstacle = server.obstacle();
    if (obstacle.isEmpty()) {
      obstacle = containerd.isServing() ? nodesObstacle() : "containerd is not ready";
    }
    return obstacle.isEmpty() && load != null ? load.obstacle() : obstacle;
  }

  /// Why the nodes are not ready; empty when both are.
  private String nodesObstacle() {
    try (ApiCaller api = new ApiCaller(server.credentials(), context.calm(), context.log())) {
      JsonNode nodes = api.get("/api/v1/nodes").body().path("items");
      int ready = 0;
      for (JsonNode node : nodes) {
        for (JsonNode condition : node.path("status").path("conditions")) {
          boolean isReady = condition.path("type").asText().equals("Ready");
          ready += isReady && condition.path("status").asText().equals("True") ? 1 : 0;
        }
      }
      return ready == 2 ? "" : ready + " of 2 nodes are ready";
    }
  }

  @Override
  public void inspect() throws IOException {
    leftovers.checkDuplicates(context.log());
    if (load != null) {
      load.checkSteady(REAL);
    }
  }

  /// Checks that both nodes still start pods, that nothing is left of any pod, and the bounds of
  /// all processes.
  @Override
  public void check() throws IOException {
    PodLoad pods = load;
    if (pods == null) {
      return;
    }
    inspect();
    pods.checkNew(List.of(REAL, SIMULATED));
    // All pods go before the count: whatever is left then is a leak.
    pods.end();
    leftovers.check(before, context.log());
    server.checkBounds();
    realAgent.bounds().check();
    simulatedAgent.bounds().check();
  }

  @Override
  public void close() throws IOException {
    if (load != null) {
      load.close();
    }
    realAgent.close();
    simulatedAgent.close();
    // The agents end before the services that they use, so that their ends are orderly.
    runtime.close();
    simulator.close();
    server.close();
    containerd.close();
    ContainerdTeardown.unmount(context.directory());
    leftovers.removeGroups(List.of(groups, groups + "-sim"));
  }
}
