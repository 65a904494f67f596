package dev.berth.launch.controlplane;

import dev.berth.api.Problem;
import dev.berth.client.ClientException;
import dev.berth.launch.agent.RunningNode;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.ExposedFiles;
import dev.berth.launch.process.HourlyTask;
import dev.berth.launch.process.IdleHeap;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.ListenAddress;
import dev.berth.launch.process.PortHolder;
import dev.berth.launch.process.ProcessMetrics;
import dev.berth.server.ApiServer;
import dev.berth.server.audit.AuditFileException;
import dev.berth.server.auth.tokens.AuthConfigurationException;
import dev.berth.server.errors.ApiException;
import dev.berth.server.pki.PkiException;
import dev.berth.store.DataDirLock;
import dev.berth.store.DataDirLockedException;
import dev.berth.store.FileErrors;
import dev.berth.store.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running control plane: the store, the API server on it, and controllers and scheduler as its
/// clients.
public final class ControlPlane implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  private final Closeables closeables;
  private final ApiServer server;

  private final @Nullable RunningNode node;

  private ControlPlane(Closeables closeables, ApiServer server, @Nullable RunningNode node) {
    this.closeables = closeables;
    this.server = server;
    this.node = node;
  }

  /// Builds and starts everything; when this returns, requests are answered.
  ///
  /// @throws LaunchException when something of this machine stands in the way
  public static ControlPlane start(LaunchConfig config) {
    ListenAddress listen =
        new ListenAddress(
            config.server().bindAddress(),
            config.server().port(),
            "--secure-port",
            new PortHolder(PROC));
    requireFree(listen, config.dataDir());
    Closeables closeables = new Closeables();
    try {
      return assemble(config, closeables);
    } catch (IOException | RuntimeException e) {
      closeables.close();
      throw explain(e, config.dataDir(), listen);
    }
  }

  /// If both the port and the directory are in use, the refusal names both: most likely the same
  /// command was run twice.
  private static void requireFree(ListenAddress listen, Path dataDir) {
    try {
      listen.requireFree();
    } catch (LaunchException taken) {
      if (Files.exists(dataDir.resolve("admin.kubeconfig"))) {
        requireDirectory(dataDir);
      }
      throw taken;
    }
  }

  private static void requireDirectory(Path dataDir) {
    try {
      DataDirLock.acquire(dataDir).close();
    } catch (DataDirLockedException e) {
      throw new LaunchException(runsAlready(dataDir, e), e);
    } catch (UncheckedIOException _) {
      // The refusal about the port is reported.
    }
  }

  /// Starts the parts in the order of their dependencies; `closeables` stops them in the opposite
  /// one.
  private static ControlPlane assemble(LaunchConfig config, Closeables closeables)
      throws IOException {
    Clock clock = Clock.systemUTC();
    Path dataDir = config.dataDir();
    if (config.store() instanceof StoreChoice.Etcd) {
      // The embedded store takes the directory itself.
      closeables.add(DataDirLock.acquire(dataDir));
    }
    ApiServer server =
        closeables.add(
            ApiServer.start(
                config.server(),
                codec -> StoreFactory.open(config.store(), dataDir, codec, clock),
                clock));
    ExposedFiles.warn(SecretFiles.of(config));
    ProcessMetrics.register(server.metrics());
    ControlPlaneClients components =
        closeables.add(ControlPlaneClients.start(server, config, clock));
    RunningNode node =
        config.node() == null
            ? null
            : closeables.add(RunningNode.start(config.node(), server, clock));
    closeables.add(
        HourlyTask.start(
            () -> {
              server.renewCertificates();
              components.renew();
              if (node != null) {
                node.renew();
              }
            },
            Duration.ofMinutes(1)));
    closeables.add(IdleHeap.start());
    return new ControlPlane(closeables, server, node);
  }

  /// The address at which clients reach the API server.
  public String url() {
    return server.url();
  }

  /// The administrator's kubeconfig.
  public Path kubeconfig() {
    return server.kubeconfig();
  }

  /// A description of the node in this process; empty if there is none.
  public Optional<String> node() {
    return Optional.ofNullable(node).map(RunningNode::toString);
  }

  /// Whether pods of this node keep running after the control plane is closed, until `berth down`.
  public boolean podsRunOn() {
    return node != null && node.podsRunOn();
  }

  /// Stops everything, the last started first: the node and the clients end while the server still
  /// answers them.
  @Override
  public void close() {
    closeables.close();
  }

  /// Translates the failure of a start for the person who has to act on it. Unknown failures keep
  /// their stack trace: they are faults of the program.
  static RuntimeException explain(Exception failure, Path dataDir, ListenAddress listen) {
    return switch (failure) {
      case LaunchException refusal -> refusal;
      case DataDirLockedException e -> new LaunchException(taken(dataDir, e), e);
      case StoreUnavailableException e ->
          new LaunchException(new Problem(e.what(), e.why(), e.whatToDo()), e);
      case PkiException e -> new LaunchException(e.problem(), e);
      case AuditFileException e -> new LaunchException(e.problem(), e);
      case AuthConfigurationException e -> new LaunchException(e.problem(), e);
      case IOException e when listen.isCauseOf(e) -> listen.refusal(e);
      case IOException e -> new LaunchException(unusable(dataDir, e), e);
      case UncheckedIOException e -> new LaunchException(unusable(dataDir, e), e);
      // The store refused a write of the start, or a request of a component; its message is passed
      // on.
      case ApiException e -> new LaunchException(refused(dataDir, e), e);
      case ClientException e -> new LaunchException(refused(dataDir, e), e);
      default -> new IllegalStateException("the control plane did not start", failure);
    };
  }

  private static Problem runsAlready(Path directory, DataDirLockedException cause) {
    return new Problem(
        "Berth already runs with data directory " + directory,
        "process " + cause.holder() + " uses the directory, and the port is in use",
        "Use the running one with `kubectl --kubeconfig %s`, stop the process, or start a second control plane with --data-dir DIR --secure-port 0"
            .formatted(directory.resolve("admin.kubeconfig")));
  }

  private static Problem taken(Path directory, DataDirLockedException cause) {
    return new Problem(
        "data directory " + directory + " is in use",
        "process " + cause.holder() + " uses it",
        "Stop the process, or choose another directory with --data-dir");
  }

  private static Problem unusable(Path directory, Exception cause) {
    FileErrors failure = FileErrors.of(cause, directory);
    return new Problem(
        "cannot start with data directory " + directory,
        failure.why(),
        failure.whatToDo() + ", or choose another directory with --data-dir");
  }

  private static Problem refused(Path directory, RuntimeException cause) {
    return new Problem(
        "cannot start with data directory " + directory, String.valueOf(cause.getMessage()), "");
  }
}
