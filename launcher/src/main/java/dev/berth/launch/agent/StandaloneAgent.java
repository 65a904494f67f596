package dev.berth.launch.agent;

import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.client.ClientException;
import dev.berth.launch.connection.AgentConnection;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.join.NodeJoin;
import dev.berth.launch.join.NodeKubeconfig;
import dev.berth.launch.join.RotatedCertificate;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.ExposedFiles;
import dev.berth.launch.process.HourlyTask;
import dev.berth.launch.process.IdleHeap;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.LocalHostname;
import dev.berth.launch.runtimes.KnownRuntimes;
import dev.berth.launch.runtimes.RuntimeFinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The agent of a node as a process of its own: joins the cluster, runs the agent, and renews the
/// node's certificate.
public final class StandaloneAgent implements AutoCloseable {
  private static final int UNAUTHORIZED = 401;

  /// The text before the names of added services, if others come first.
  private static final String ADDED = ", and with ";

  /// How long the start waits for the approval of a new node.
  private static final Duration APPROVAL = Duration.ofMinutes(15);

  /// Interval between checks of the certificate. Certificates may be valid for ten minutes only.
  private static final Duration RENEWAL_LOOK = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(StandaloneAgent.class);

  private final AgentConfig config;
  private final NodeJoin entry;
  private final Clock clock;
  private final Closeables closeables = new Closeables();

  /// Null where the agent must not renew, or writes its kubeconfig itself.
  private final @Nullable RotatedCertificate rotated;

  private StandaloneAgent(AgentConfig config, NodeJoin entry, boolean rotate, Clock clock) {
    this.config = config;
    this.entry = entry;
    this.clock = clock;
    this.rotated =
        rotate && entry instanceof NodeJoin.Kubeconfig(Path file)
            ? new RotatedCertificate(
                file, config.dataDir().resolve("agent"), config.nodeName(), clock, RENEWAL_LOOK)
            : null;
  }

  /// Starts the agent; the API server need not answer yet.
  public static StandaloneAgent start(AgentConfig given, NodeJoin entry)
      throws InterruptedException {
    return start(given, entry, _ -> {});
  }

  /// Starts the agent, and reports how the node got its certificate.
  ///
  /// @param progress receives a line per step
  public static StandaloneAgent start(AgentConfig given, NodeJoin entry, Consumer<String> progress)
      throws InterruptedException {
    return start(given, entry, true, progress);
  }

  /// Starts the agent; it may renew the client certificate of its node.
  ///
  /// @param rotate whether the node renews its own client certificate
  public static StandaloneAgent start(
      AgentConfig given, NodeJoin entry, boolean rotate, Consumer<String> progress)
      throws InterruptedException {
    AgentConfig config = complete(given, RuntimeFinder.usual(given.access()));
    StandaloneAgent agent = new StandaloneAgent(config, entry, rotate, Clock.systemUTC());
    try {
      switch (entry) {
        case NodeJoin.Kubeconfig _ -> {}
        case NodeJoin.Join join -> agent.enter(join, progress);
        case NodeJoin.Bootstrap bootstrap -> agent.enter(bootstrap, progress);
      }
      ExposedFiles.warn(agent.secrets());
      agent.connect();
      if (rotate) {
        agent.closeables.add(HourlyTask.startNow(agent::renew, RENEWAL_LOOK));
      }
      agent.closeables.add(IdleHeap.start());
      return agent;
    } catch (ClientException e) {
      agent.close();
      throw new LaunchException(refusal(config.nodeName(), e), e);
    } catch (IOException e) {
      agent.close();
      throw unusable(config, e);
    } catch (RuntimeException e) {
      agent.close();
      throw e;
    }
  }

  /// The files with which a process could act as this node.
  private List<Path> secrets() {
    Path given = entry instanceof NodeJoin.Kubeconfig(Path file) ? file : own().file();
    return List.of(given, config.dataDir(), config.dataDir().resolve("agent"));
  }

  private static Problem refusal(String node, ClientException e) {
    String what = "node " + node + " cannot join";
    return e instanceof ApiException answer && answer.code() == UNAUTHORIZED
        ? new Problem(
            what,
            "the API server does not accept the token: it has expired, was deleted, or is misspelled",
            "Create a new token with `berth token`")
        : new Problem(
            what,
            String.valueOf(e.getMessage()),
            "Create a new token with `berth token` (`berth token --rejoin` for a node that exists in"
                + " the cluster), or choose another name with --node-name");
  }

  /// Joins the cluster, unless the node has a certificate of this server under this name.
  private void enter(NodeJoin.Join join, Consumer<String> progress)
      throws IOException, InterruptedException {
    NodeKubeconfig own = own();
    Optional<String> mismatch =
        own.exists()
            ? own.mismatch(join.server(), join.token(), config.nodeName(), clock.instant())
            : Optional.of("does not exist yet");
    if (mismatch.isEmpty()) {
      progress.accept("Using the node's certificate in %s.".formatted(own.file()));
      return;
    }
    if (join.token() == null) {
      throw new LaunchException(
          new Problem(
              "node %s cannot join %s without a token".formatted(config.nodeName(), join.server()),
              "%s %s".formatted(own.file(), mismatch.get()),
              "Set --token to what `berth token` prints on the server, or choose another"
                  + " directory with --data-dir"));
    }
    boolean again = own.exists();
    if (join.byRequest()) {
      own.joinByRequest(join.server(), join.token(), config.nodeName(), APPROVAL);
    } else {
      own.join(join.server(), join.token(), config.nodeName());
    }
    if (again) {
      progress.accept(
          "Joined %s again, because %s %s.".formatted(join.server(), own.file(), mismatch.get()));
    }
  }

  /// Requests a certificate with bootstrap credentials, unless the node has one already.
  private void enter(NodeJoin.Bootstrap bootstrap, Consumer<String> progress)
      throws IOException, InterruptedException {
    NodeKubeconfig own = own();
    ClientConfig credentials = bootstrapConfig(bootstrap.credentials());
    Optional<String> mismatch =
        own.exists()
            ? own.mismatch(credentials.server(), null, config.nodeName(), clock.instant())
            : Optional.of("does not exist yet");
    if (mismatch.isEmpty()) {
      progress.accept("Using the node's certificate in %s.".formatted(own.file()));
      return;
    }
    progress.accept(
        "Requesting a certificate of %s, because %s %s."
            .formatted(credentials.server(), own.file(), mismatch.get()));
    own.joinByRequest(credentials, config.nodeName(), APPROVAL);
  }

  private static ClientConfig bootstrapConfig(Path file) {
    try {
      return ClientConfig.fromKubeconfig(file);
    } catch (IllegalArgumentException e) {
      throw new LaunchException(
          new Problem(
              "kubeconfig " + file + " cannot be used",
              String.valueOf(e.getMessage()),
              "Set --bootstrap-kubeconfig to a kubeconfig with server, certificate authority and a bootstrap token"),
          e);
    }
  }

  /// Completes the configuration: the name of this machine, and its runtimes, where none are given.
  static AgentConfig complete(AgentConfig given, RuntimeFinder finder) {
    AgentConfig named =
        given.nodeName().isEmpty() ? given.named(LocalHostname.ofThisMachine()) : given;
    KnownRuntimes known = new KnownRuntimes(given.dataDir().resolve("agent"));
    try {
      if (given.runtimes().isEmpty()) {
        List<RuntimeDeclaration> found = known.find(finder);
        return named.with(found.isEmpty() ? awaited(given.dataDir(), finder) : found);
      }
      known.forget();
      return named;
    } catch (IOException e) {
      throw unusable(named, e);
    }
  }

  /// The runtime that a node waits for which has none: the usual one, as with a kubelet.
  private static List<RuntimeDeclaration> awaited(Path dataDir, RuntimeFinder finder)
      throws IOException {
    if (!NodeRuntimes.Places.below(dataDir.resolve("agent")).added().isEmpty()) {
      return List.of();
    }
    RuntimeDeclaration usual = finder.mostUsual();
    log.warn(
        "no runtime found; waiting for name={} endpoint={} remedy=\"start it, or register another runtime with `berth runtimes add`\"",
        usual.name(),
        usual.endpoint());
    return List.of(usual);
  }

  private static LaunchException unusable(AgentConfig config, IOException failure) {
    return new LaunchException(
        new Problem(
            "the agent of node " + config.nodeName() + " cannot start",
            String.valueOf(failure.getMessage()),
            "Make %s writable for this user, or choose another directory with --data-dir; approve a"
                    .formatted(config.dataDir())
                + " request for a certificate that waits"),
        failure);
  }

  /// The node's own kubeconfig: the file of the flag, else the one in the data directory.
  private NodeKubeconfig own() {
    return entry instanceof NodeJoin.Bootstrap(_, Path file) && file != null
        ? new NodeKubeconfig(file)
        : NodeKubeconfig.below(config.dataDir());
  }

  private Path kubeconfig() {
    return switch (entry) {
      case NodeJoin.Kubeconfig(var file) -> file;
      case NodeJoin.Join _, NodeJoin.Bootstrap _ -> own().file();
    };
  }

  /// Connects to the API server and starts everything; both wait for nobody.
  private void connect() throws IOException, InterruptedException {
    ServerConnection server =
        closeables.add(ServerConnection.openReloading(kubeconfig(), "berth-agent", this::rotated));
    requireAuthority(server);
    closeables.add(
        RunningAgent.start(
            config,
            "--port",
            new AgentConnection(server.client(), server.server(), server.authority()),
            clock));
  }

  /// Refuses a kubeconfig without an authority: the node's server accepts clients with certificates
  /// of that authority only.
  private void requireAuthority(ServerConnection server) {
    if (server.authority().isEmpty()) {
      throw new LaunchException(
          new Problem(
              "kubeconfig " + kubeconfig() + " cannot be used for a node",
              "it does not contain the certificate authority of the cluster",
              "Add certificate-authority or certificate-authority-data to its cluster"));
    }
  }

  private ClientConfig rotated(ClientConfig given) {
    return rotated == null ? given : rotated.current(given);
  }

  /// Renews the certificate when it is due. The connections of the agent read the new one
  /// themselves.
  private void renew() {
    try {
      if (rotated != null) {
        rotated.renew();
      } else if (own().renew(config.nodeName(), clock.instant())) {
        log.info("client certificate renewed node={}", config.nodeName());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closeables.close();
  }

  /// A description for the greeting, with every runtime service, such as `web-1 of
  /// https://10.0.0.1:6443 runs with container:crio:unix:///crio.sock`.
  @Override
  public String toString() {
    return "%s of %s runs with %s"
        .formatted(
            config.nodeName(), ClientConfig.fromKubeconfig(kubeconfig()).server(), services());
  }

  private String services() {
    String given =
        config.runtimes().stream()
            .map(RuntimeDeclaration::toString)
            .collect(Collectors.joining(", "));
    try {
      String all = given + AddedServices.words(config);
      return all.startsWith(ADDED) ? all.substring(ADDED.length()) : all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
