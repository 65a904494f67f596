package dev.berth.launch.agent;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.client.ApiClient;
import dev.berth.launch.backup.BackupRecord;
import dev.berth.launch.connection.AgentConnection;
import dev.berth.launch.connection.RunningComponent;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.LocalHostname;
import dev.berth.launch.process.NodeAddress;
import dev.berth.launch.runtimes.ChosenRuntimes;
import dev.berth.launch.runtimes.RuntimeChoice;
import dev.berth.launch.runtimes.RuntimeFinder;
import dev.berth.launch.runtimes.RuntimeSource;
import dev.berth.launch.runtimes.RuntimesWithMachines;
import dev.berth.launch.runtimes.UsedRuntimes;
import dev.berth.launch.runtimes.VmChoice;
import dev.berth.launch.simulation.CatalogEntries;
import dev.berth.launch.simulation.SimulatedRuntime;
import dev.berth.launch.vm.SupervisedVmRuntime;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.sim.images.ImageCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The node of `berth up`: an agent, and a simulated runtime where there is no real one.
public final class RunningNode implements AutoCloseable {
  private final Closeables closeables;
  private final RunningComponent agent;
  private final String words;
  private final boolean podsRunOn;

  private RunningNode(
      Closeables closeables, RunningComponent agent, String words, boolean podsRunOn) {
    this.closeables = closeables;
    this.agent = agent;
    this.words = words;
    this.podsRunOn = podsRunOn;
  }

  /// Chooses the runtimes, prepares the cluster for them, and starts the agent.
  public static RunningNode start(LocalNode node, ApiServer server, Clock clock) {
    Closeables closeables = new Closeables();
    String name = nodeName(node.config());
    try {
      requireNoBackup(node);
      ChosenRuntimes chosen =
          ChosenRuntimes.choose(
              new RuntimeChoice(
                  node.config().runtimes(),
                  node.source(),
                  node.config().dataDir(),
                  node.config().traits().registries()),
              RuntimeFinder.usual(node.config().access()));
      closeables.add(chosen.keeping());
      chosen =
          new RuntimesWithMachines(
                  machines(node), node.config().dataDir(), node.config().traits().registries())
              .beside(chosen);
      List<RuntimeDeclaration> runtimes = chosen.services();
      AgentConfig configured = node.config();
      List<DefaultRuntimeClass> classes =
          chosen.handlers().stream()
              .map(
                  handler ->
                      DefaultRuntimeClass.of(
                          handler,
                          SupervisedVmRuntime.OVERHEAD.getOrDefault(handler, Map.of()),
                          SupervisedVmRuntime.HANDLERS.contains(handler)
                              ? SupervisedVmRuntime.FEATURES
                              : Map.of()))
              .toList();
      if (runtimes.isEmpty()) {
        NodeSystem system = node.config().traits().system();
        runtimes =
            List.of(
                closeables.add(SimulatedRuntime.start(system.simulated(), clock)).declaration());
        classes = system.simulatedClasses();
        configured = configured.with(new CatalogEntries(ImageCatalog.ofAnything()));
      }
      // Before the agent starts a pod: `berth down` must find every runtime that may have one.
      new UsedRuntimes(node.config().dataDir().resolve("agent")).remember(name, chosen.services());
      DefaultRuntimeClasses.create(server, classes);
      AgentConfig config = reachable(configured).with(runtimes).named(name);
      RunningComponent agent =
          closeables.add(
              new RunningComponent(
                  server,
                  ClientIdentity.node(name),
                  "berth-agent",
                  client -> start(config, client, server, clock)));
      return new RunningNode(
          closeables,
          agent,
          name + ", " + chosen.words() + AddedServices.words(config),
          !chosen.services().isEmpty());
    } catch (IOException e) {
      closeables.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      closeables.close();
      throw e;
    }
  }

  /// Runtimes that an administrator names are used alone.
  private static VmChoice machines(LocalNode node) {
    return node.config().runtimes().isEmpty() ? node.machines() : VmChoice.NONE;
  }

  /// A node that starts from a backup would stop every pod that is younger than the backup.
  private static void requireNoBackup(LocalNode node) throws IOException {
    Path directory = node.config().dataDir();
    Optional<BackupRecord> backup = BackupRecord.read(directory);
    if (backup.isPresent() && node.source() != RuntimeSource.SIMULATED) {
      throw new LaunchException(
          new Problem(
              "the node cannot start with data directory %s".formatted(directory),
              "it is a backup of %s, made at %s, and its node would stop the pods that the backup does"
                      .formatted(backup.get().from(), backup.get().madeAt())
                  + " not know",
              "Restore it with `berth backup restore %1$s --data-dir DIR`; inspect it with `berth"
                      .formatted(directory)
                  + " backup show %s`, or start a copy of it with --simulate or --no-agent"
                      .formatted(directory)));
    }
  }

  /// Starts the agent with the client of the component, which the component closes.
  private static AutoCloseable start(
      AgentConfig config, ApiClient client, ApiServer server, Clock clock) {
    try {
      AgentConnection uplink =
          new AgentConnection(client, URI.create(server.url()), server.authorityPem());
      return RunningAgent.start(config, "--agent-port", uplink, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the node started", e);
    }
  }

  /// The configuration with an address at which the server reaches the node. A server on all
  /// addresses has one of the machine's, and so has its node.
  private static AgentConfig reachable(AgentConfig config) {
    return config.address() != null ? config : config.at(NodeAddress.ofThisMachine());
  }

  private static String nodeName(AgentConfig config) {
    return config.nodeName().isEmpty() ? LocalHostname.ofThisMachine() : config.nodeName();
  }

  /// Starts the agent again when its certificate has been replaced.
  public void renew() {
    agent.renew();
  }

  /// Whether pods keep running when this process ends.
  public boolean podsRunOn() {
    return podsRunOn;
  }

  @Override
  public void close() {
    closeables.close();
  }

  /// A description for the greeting, such as `web-1, with containerd`.
  @Override
  public String toString() {
    return words;
  }
}
