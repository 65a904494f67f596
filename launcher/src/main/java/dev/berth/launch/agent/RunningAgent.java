package dev.berth.launch.agent;

import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.certificates.NodeTls;
import dev.berth.agent.node.certificates.ServingCertificate;
import dev.berth.agent.node.certificates.SignedByServer;
import dev.berth.agent.node.http.NodeServer;
import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.machine.WindowsMachine;
import dev.berth.agent.node.overhead.PodOverheadReader;
import dev.berth.agent.node.usage.ContainerMetrics;
import dev.berth.agent.node.usage.NodeSignals;
import dev.berth.agent.node.usage.SummaryProvider;
import dev.berth.agent.pods.PodAgent;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.probes.ProbeMetrics;
import dev.berth.agent.runtimes.ImageHandlers;
import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceClaimedException;
import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.usage.UsageReader;
import dev.berth.agent.volumes.host.VolumeRefresher;
import dev.berth.api.KubernetesVersion;
import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.launch.connection.AgentConnection;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.process.ListenAddress;
import dev.berth.launch.process.NodeAddress;
import dev.berth.launch.process.PortHolder;
import dev.berth.launch.process.ProcessMetrics;
import dev.berth.launch.runtimes.ClaimDirectory;
import dev.berth.launch.runtimes.ClusterId;
import dev.berth.launch.runtimes.KubeletCheck;
import dev.berth.launch.runtimes.RuntimeClaims;
import dev.berth.launch.runtimes.RuntimeProcesses;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/// The agent of a node: builds and starts runtime services, the Node object, pods, and the node's
/// server. [StandaloneAgent] and [RunningNode] start it; closing it leaves pods running.
final class RunningAgent implements AutoCloseable {
  private final AgentConfig config;

  private final AgentConnection uplink;
  private final Clock clock;
  private final Closeables closeables;
  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final ProbeMetrics probes = new ProbeMetrics();
  private final LinuxMachine linux;
  private final NodeOptions options;
  private final DelayedActions delays;
  private final Random random = new Random();

  private RunningAgent(
      AgentConfig config, AgentConnection uplink, Clock clock, Closeables closeables) {
    this.config = config;
    this.uplink = uplink.countedBy(metrics);
    this.clock = clock;
    this.closeables = closeables;
    this.linux = new LinuxMachine(Path.of("/"), config.dataDir());
    this.options =
        config.options(
            config.address() == null ? NodeAddress.towards(uplink.server()) : config.address());
    this.delays = closeables.add(DelayedActions.realTime());
    ProcessMetrics.register(metrics);
  }

  /// Starts everything; waits neither for the API server nor for runtimes.
  ///
  /// @param portFlag the flag that sets the port, for messages
  static RunningAgent start(
      AgentConfig config, String portFlag, AgentConnection uplink, Clock clock)
      throws IOException, InterruptedException {
    Closeables closeables = new Closeables();
    try {
      PrivateFiles.createDirectory(config.dataDir());
      // Logs and volumes are for containers, which get at them by their own mounts, and root.
      PrivateFiles.createPrivateDirectory(config.dataDir().resolve("agent"));
      RunningAgent agent = new RunningAgent(config, uplink, clock, closeables);
      agent.requireFreePort(portFlag);
      agent.assemble();
      return agent;
    } catch (IOException | InterruptedException | RuntimeException e) {
      closeables.close();
      throw e;
    }
  }

  /// Refuses a port in use before anything is started.
  private void requireFreePort(String flag) {
    new ListenAddress(
            options.addresses().getFirst(), config.port(), flag, new PortHolder(Path.of("/proc")))
        .requireFree();
  }

  /// Starts the parts. The Node object comes last: with it the node accepts pods.
  private void assemble() throws IOException, InterruptedException {
    MachineInfo machine = config.traits().system().describe(facts());
    ImageMemory images =
        ImageMemory.open(
            config.dataDir().resolve("agent").resolve("images"),
            config.traits().pods().housekeeping().verification());
    NodeRuntimes runtimes = runtimes(images.entries());
    ApiClient client = uplink.client();
    NodePressure pressure =
        new NodePressure(options.pressure(), new NodeSignals(linux, runtimes.registry()));
    PodComponents.Opened opened =
        new PodComponents(config, options, delays, clock, random)
            .open(
                uplink,
                runtimes.registry(),
                images,
                machine,
                new PodComponents.Watching(pressure, new PodMetrics(metrics), probes),
                closeables);
    PodAgent pods = closeables.add(PodAgent.start(opened.config(), opened.dependencies()));
    closeables.add(VolumeRefresher.start(opened.volumes(), pods::pods, delays));
    UsageReader usage =
        new UsageReader(
            options.name(), runtimes.registry(), () -> MachineReadings.use(linux), clock);
    NodeServer server = server(pods, runtimes.registry(), machine, usage);
    closeables.add(
        NodeAgent.start(
            new NodeAgent.NodeInputs(
                options,
                machine,
                pressure,
                runtimes.registry(),
                new PodOverheadReader(usage, runtimes.registry(), pods::pods),
                server.port(),
                KubernetesVersion.GIT_VERSION),
            new NodeAgent.NodeDependencies(client, clock, delays, random, metrics)));
  }

  /// The facts of this machine. On Windows the registry has the release.
  private MachineInfo facts() throws IOException {
    int cpus = Runtime.getRuntime().availableProcessors();
    String architecture = System.getProperty("os.arch", "");
    return WindowsMachine.isThisSystem(System.getProperty("os.name", ""))
        ? WindowsMachine.ofThisMachine(config.dataDir()).facts(cpus, architecture)
        : linux.facts(cpus, architecture);
  }

  /// Opens the runtime services and claims them, before anything acts on their pods.
  private NodeRuntimes runtimes(ImageHandlers images) throws IOException {
    CriMetrics calls = new CriMetrics(metrics);
    Path directory = config.dataDir().resolve("agent");
    OwnSandboxes own =
        new OwnSandboxes(
            options.name(), ClusterId.of(directory, uplink.authority()), directory.resolve("pods"));
    CriTransport transport = closeables.add(new CriTransport());
    CriChannels channels =
        new CriChannels(transport, CriDeadlines.KUBELET, calls, OpenTelemetry.noop());
    Places places =
        config.access().givenOnly() ? Places.ofSimulation(directory) : Places.below(directory);
    try {
      return closeables.add(
          NodeRuntimes.start(
              places,
              config.runtimes(),
              new RegistryContext(channels, calls, HealthTimings.STANDARD, delays, clock)
                  .with(own)
                  .with(claims(own))
                  .with(images)));
    } catch (BindException e) {
      throw new LaunchException(taken(places.socket(), e), e);
    } catch (ServiceClaimedException e) {
      throw new LaunchException(e.problem(), e);
    }
  }

  /// The claims on runtime services, by cluster and node: nodes of other clusters may use the same
  /// service.
  private RuntimeClaims claims(OwnSandboxes own) {
    return new RuntimeClaims(
        ClaimDirectory.ofThisUser(),
        own.cluster() + " " + own.node(),
        config.dataDir(),
        KubeletCheck.of(config.access()),
        clock);
  }

  /// Explains that another agent serves the admin socket of this directory.
  private Problem taken(Path socket, BindException failure) {
    String holder =
        new PortHolder(Path.of("/proc"))
            .describe(socket)
            .map(found -> " (" + found + ")")
            .orElse("");
    return new Problem(
        "the agent of node %s cannot start".formatted(options.name()),
        failure.getMessage() + holder,
        "Stop the other agent, or choose another directory with --data-dir");
  }

  /// Starts the node's HTTPS server. It serves before it has a certificate: the certificate needs
  /// the API server, which may not answer yet.
  private NodeServer server(
      PodAgent pods, RuntimeServices runtimes, MachineInfo machine, UsageReader usage)
      throws IOException {
    NodeTls tls = new NodeTls();
    RuntimeProcesses processes =
        new RuntimeProcesses(new PortHolder(Path.of("/proc")), runtimes::snapshot, clock);
    SummaryProvider summaries =
        new SummaryProvider(
            usage, () -> MachineReadings.all(linux, processes), pods::storage, Thread::sleep);
    InetSocketAddress address =
        new InetSocketAddress(options.addresses().getFirst(), config.port());
    try {
      NodeServer server =
          closeables.add(
              NodeServer.start(
                  address,
                  tls.context(
                      KeyMaterial.certificates(
                          uplink.authority().getBytes(StandardCharsets.US_ASCII))),
                  options.name(),
                  new NodeServer.Contents(
                      pods,
                      metrics,
                      usage::read,
                      summaries::read,
                      () -> new ContainerMetrics(usage.read(), machine.size()).text(),
                      () -> probes.text(uids(pods)),
                      () -> new EffectiveSettings(config, options).json()),
                  uplink.client(),
                  NodeServer.STANDARD_LIMITS,
                  clock));
      closeables.add(
          ServingCertificate.start(
              tls,
              config.serving() == null
                  ? new SignedByServer(
                      uplink.client(),
                      options.name(),
                      servingAddresses(),
                      config.dataDir().resolve("agent"),
                      config.requestServing())
                  : config.serving(),
              clock,
              new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), random)));
      return server;
    } catch (CertificateException e) {
      throw new IOException("the certificate authority of the API server cannot be read", e);
    }
  }

  /// The addresses for the serving certificate. The loopback address never counts: every machine
  /// has it.
  private List<String> servingAddresses() {
    return options.addresses().stream()
        .filter(address -> !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .toList();
  }

  private static Set<String> uids(PodAgent pods) {
    return pods.pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
  }

  @Override
  public void close() {
    closeables.close();
  }
}
