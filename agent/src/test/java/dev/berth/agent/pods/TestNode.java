package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.pods.admission.AdmissionRules;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.agent.pods.config.windows.WindowsPlatform;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.SignalSource;
import dev.berth.agent.probes.ContainerProbes;
import dev.berth.agent.probes.NoProbes;
import dev.berth.agent.probes.ProbeMetrics;
import dev.berth.agent.probes.ProbeWorkers;
import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.NoVolumes;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimProfile;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A node with simulated runtime services, the agent's part for pods, and an API server in memory.
public final class TestNode implements AutoCloseable {
  public static final String NAME = "node-1";
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final YAMLMapper YAML = new YAMLMapper();

  final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.PODS,
              ResourceType.EVENTS,
              ResourceType.CONFIG_MAPS,
              ResourceType.SECRETS,
              ResourceType.SERVICES,
              ResourceType.RUNTIME_CLASSES,
              ResourceType.NODES,
              ResourceType.LEASES),
          InstantSource.system());
  private final Path directory;
  private final CriTransport transport = new CriTransport();
  private InstantSource clock = InstantSource.system();
  private @Nullable SimContext world;
  private InstantSource runtimesClock = InstantSource.system();
  private final DelayedActions real = DelayedActions.realTime();
  private DelayedActions delays = real;
  private final Map<String, Simulator> simulators = new LinkedHashMap<>();
  public final ApiClient client = new ApiClient(api);
  private String profile = "linux/amd64";
  private String address = "192.0.2.7";
  private Function<NodeSettings, PlatformConfig> platform = LinuxPlatform::new;
  private UnresolvedPolicy policy = UnresolvedPolicy.FAIL_MISSING_CLASS;
  public final PrometheusRegistry counts = new PrometheusRegistry();
  private final PodMetrics podMetrics = new PodMetrics(counts);
  private ProbeWorkers probes = new NoProbes();
  private PodVolumes volumes = new NoVolumes();
  private @Nullable Path manifests;
  private LogRules logs = LogRules.STANDARD;
  private CollectionRules images = CollectionRules.STANDARD;
  private PullSettings pulls = PullSettings.STANDARD;
  private NodePressure pressure = NodePressure.none();
  private @Nullable RuntimeRegistry registry;
  private @Nullable PodAgent agent;
  private int starts;

  public TestNode(Path directory) {
    this.directory = directory;
    api.createNamespace("default");
  }

  /// Adds a runtime service, before the agent is started.
  public Simulator service(String name, UnaryOperator<SimConfig> change) {
    CriEndpoint endpoint = new CriEndpoint.InProcess(UUID.randomUUID().toString());
    Simulator simulator =
        Simulator.start(
            change.apply(SimConfig.of(name, endpoint, SimProfile.named(profile).orElseThrow())),
            world());
    simulators.put(name, simulator);
    return simulator;
  }

  public Simulator service(String name) {
    return service(name, config -> config);
  }

  private SimContext world() {
    SimContext present = world == null ? new SimContext(clock, new Random(1)) : world;
    world = present;
    return present;
  }

  public Simulator simulator(String name) {
    return Objects.requireNonNull(simulators.get(name));
  }

  /// Before services are added.
  TestNode onWindows() {
    profile = "windows/amd64";
    platform = settings -> new WindowsPlatform(settings, WindowsProcessors.ALL_CONTROLS);
    return this;
  }

  public TestNode with(UnresolvedPolicy other) {
    policy = other;
    return this;
  }

  /// The node's.
  TestNode withAddress(String other) {
    address = other;
    return this;
  }

  public TestNode with(PodVolumes other) {
    volumes = other;
    return this;
  }

  public TestNode with(LogRules other) {
    logs = other;
    return this;
  }

  public TestNode with(CollectionRules other) {
    images = other;
    return this;
  }

  public TestNode with(PullSettings other) {
    pulls = other;
    return this;
  }

  public TestNode with(SignalSource signals) {
    return with(PressureRules.STANDARD, signals);
  }

  public TestNode with(PressureRules rules, SignalSource signals) {
    pressure = new NodePressure(rules, signals);
    return this;
  }

  public NodePressure pressure() {
    return pressure;
  }

  /// What comes after a while comes at once.
  public TestNode hurried() {
    delays =
        new DelayedActions() {
          @Override
          public Pending after(Duration delay, Runnable action) {
            boolean isWhile = delay.compareTo(A_WHILE) >= 0;
            return real.after(isWhile ? Duration.ofMillis(20) : delay, action);
          }

          @Override
          public void close() {}
        };
    return this;
  }

  /// For pods time passes only when the test says so; runtime services are watched as ever. With
  /// probes.
  public TestNode in(ManualTime time) {
    clock = time;
    delays = time;
    probes = new ContainerProbes(time, time, new ProbeMetrics());
    return this;
  }

  /// The time of the runtime services alone.
  TestNode runtimesIn(InstantSource time) {
    runtimesClock = time;
    return this;
  }

  /// Takes a service away, while the agent does not run.
  void removeService(String name) {
    Objects.requireNonNull(simulators.remove(name)).close();
  }

  /// One whose kernel has none.
  TestNode withoutAppArmor() {
    platform = settings -> new LinuxPlatform(settings, AllowedSysctls.ONLY_SAFE, false);
    return this;
  }

  public TestNode withManifests(Path other) {
    manifests = other;
    return this;
  }

  private PodAgentConfig config() {
    NodeSettings settings =
        NodeSettings.of(NAME, List.of(address), directory)
            .with(
                new ContainerCapacity(64_000, 4L << 30, 0),
                new ContainerCapacity(64_000, 1L << 30, 0));
    PodSettings pods =
        PodSettings.USUAL
            .with(AdmissionRules.STANDARD.with(policy))
            .with(HousekeepingSettings.USUAL.with(images).with(logs));
    return PodAgentConfig.of(settings)
        .with(platform.apply(settings))
        .with(pulls)
        .with(manifests == null ? pods : pods.withManifests(manifests));
  }

  public TestNode start() throws IOException {
    var metrics = new CriMetrics(new PrometheusRegistry());
    var channels = new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    List<RuntimeDeclaration> declarations = new ArrayList<>();
    simulators.forEach(
        (name, simulator) ->
            declarations.add(
                new RuntimeDeclaration(name, WorkloadType.CONTAINER, simulator.endpoint())));
    RuntimeRegistry opened =
        RuntimeRegistry.open(
            directory.resolve("runtimes"),
            ServiceRegistration.configured(declarations),
            new RegistryContext(channels, metrics, HealthTimings.STANDARD, real, runtimesClock)
                .with(new OwnSandboxes(NAME, "", directory.resolve("pods"))));
    registry = opened;
    agent =
        PodAgent.start(
            config(),
            new AgentDependencies(
                    client,
                    opened,
                    ImageMemory.open(directory.resolve("images"), VerificationRules.STANDARD),
                    volumes,
                    PodCgroups.NONE,
                    probes,
                    delays,
                    clock,
                    random())
                .with(pressure, podMetrics));
    return this;
  }

  /// Another one for every agent: names of events must not come again.
  private Random random() {
    return new Random(++starts);
  }

  /// Ends the agent as a crash would: nothing is told to anybody.
  public void stopAgent() {
    agent().close();
    registry().close();
  }

  PodAgent agent() {
    return Objects.requireNonNull(agent);
  }

  public RuntimeRegistry registry() {
    return Objects.requireNonNull(registry);
  }

  public ObjectNode create(ResourceType type, String yaml) {
    return api.create(type, read(yaml));
  }

  /// Creates a pod of this node from the part of its specification that is given.
  public ObjectNode pod(String name, String spec) {
    ObjectNode pod = YAML.createObjectNode();
    pod.putObject("metadata").put("name", name).put("namespace", "default");
    pod.set("spec", read(spec));
    ((ObjectNode) pod.get("spec")).put("nodeName", NAME);
    return api.create(ResourceType.PODS, pod);
  }

  private static ObjectNode read(String yaml) {
    try {
      return (ObjectNode) YAML.readTree(yaml);
    } catch (IOException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  public Optional<ObjectNode> find(String name) {
    return api.find(ResourceType.PODS, new ObjectKey("default", name));
  }

  public JsonNode status(String name) {
    return find(name).map(pod -> pod.path("status")).orElseGet(YAML::missingNode);
  }

  JsonNode await(String name, String what, Predicate<JsonNode> condition) {
    try {
      Await.until(name + " " + what, () -> condition.test(status(name)));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ": " + status(name), e);
    }
    return status(name);
  }

  /// Missing while the status does not have it.
  static JsonNode conditionOf(JsonNode status, String type) {
    return status
        .path("conditions")
        .valueStream()
        .filter(one -> one.path("type").asText().equals(type))
        .findFirst()
        .orElseGet(YAML::missingNode);
  }

  public JsonNode awaitPhase(String name, String phase) {
    return await(name, "is " + phase, status -> status.path("phase").asText().equals(phase));
  }

  void delete(String name) {
    api.delete(ResourceType.PODS, new ObjectKey("default", name), "");
  }

  void awaitGone(String name) {
    Await.until(name + " is gone", () -> find(name).isEmpty());
  }

  public List<String> events(String pod) {
    return api.list(ResourceType.EVENTS).stream()
        .filter(event -> event.path("involvedObject").path("name").asText().equals(pod))
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .toList();
  }

  @Override
  public void close() {
    if (agent != null) {
      stopAgent();
    }
    simulators.values().forEach(Simulator::close);
    real.close();
    if (world != null) {
      world.close();
    }
    transport.close();
  }
}
