package dev.berth.checks.pods;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.cgroups.CgroupMounts;
import dev.berth.agent.cgroups.CgroupTree;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.pods.AgentDependencies;
import dev.berth.agent.pods.PodAgent;
import dev.berth.agent.pods.PodAgentConfig;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.references.PodDownward;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.agent.volumes.host.HostVolumes;
import dev.berth.agent.volumes.mounts.LinuxMounts;
import dev.berth.agent.volumes.payloads.ApiVolumeSources;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.DelayedActions;
import dev.berth.client.ResourceType;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The agent's part for pods in this process, which can be ended and started again.
final class PodNode implements AutoCloseable {
  static final String NAME = "node-1";

  static final String GROUPS = "/berth-test/kubepods";

  final CgroupTree kernel = CgroupMounts.ofThisMachine().open().orElseThrow();
  private final Path directory;
  private final ApiClient client;
  private final List<RuntimeDeclaration> declarations;
  private final CriTransport transport = new CriTransport();
  private final LinuxMounts mounts = new LinuxMounts();
  private final DelayedActions delays = DelayedActions.realTime();
  private @Nullable RuntimeRegistry registry;
  private @Nullable PodAgent agent;

  /// @param sockets of the runtime services, by name; the first is the default
  PodNode(Path directory, Path kubeconfig, Map<String, Path> sockets) throws IOException {
    this(
        directory,
        kubeconfig,
        sockets.entrySet().stream()
            .map(
                entry ->
                    new RuntimeDeclaration(
                        entry.getKey(), WorkloadType.CONTAINER, new UnixSocket(entry.getValue())))
            .toList());
  }

  /// @param declarations of the runtime services; the first is the default
  PodNode(Path directory, Path kubeconfig, List<RuntimeDeclaration> declarations)
      throws IOException {
    this.directory = directory;
    this.client = ApiClient.open(ClientConfig.fromKubeconfig(kubeconfig));
    this.declarations = declarations;
  }

  /// To be called when no pod runs any more.
  static void clearGroups() throws IOException {
    CgroupMounts.ofThisMachine().open().orElseThrow().remove("/berth-test");
  }

  /// Without it the pods would be removed as those of a deleted node when a test takes long. Nobody
  /// ever reports for it, so nobody misses its heartbeat.
  void register() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", NAME);
    ObjectNode created = client.json(ResourceType.NODES).create(node);
    created
        .withArray("/status/conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("reason", "KubeletReady")
        .put("message", "the agent's part for pods runs in a test");
    client.json(ResourceType.NODES).update(created, "status");
  }

  void start() throws IOException {
    start(config -> config);
  }

  /// @param changes to the usual configuration
  void start(UnaryOperator<PodAgentConfig> changes) throws IOException {
    PodCgroups cgroups = PodCgroups.open(kernel, GROUPS, CgroupLimits.LEAST);
    var metrics = new CriMetrics(new PrometheusRegistry());
    var channels = new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop());
    RuntimeRegistry opened =
        RuntimeRegistry.open(
            directory.resolve("runtimes"),
            ServiceRegistration.configured(declarations),
            new RegistryContext(
                channels, metrics, HealthTimings.STANDARD, delays, InstantSource.system()));
    registry = opened;
    NodeSettings settings =
        NodeSettings.of(NAME, List.of("127.0.0.1"), directory)
            .with(new CgroupSettings(GROUPS, false, CgroupMounts.ofThisMachine().isUnified()));
    agent =
        PodAgent.start(
            changes.apply(PodAgentConfig.of(settings)),
            new AgentDependencies(
                client,
                opened,
                ImageMemory.open(directory.resolve("images"), VerificationRules.STANDARD),
                volumes(settings),
                cgroups,
                new UnprobedContainers(),
                delays,
                InstantSource.system(),
                new Random()));
  }

  private HostVolumes volumes(NodeSettings settings) throws IOException {
    return HostVolumes.open(
        new VolumeDirectories(settings.pods(), directory.resolve("memory")),
        new ApiVolumeSources(client),
        new PodDownward(settings),
        mounts,
        settings::memoryOf,
        InstantSource.system());
  }

  void stop() {
    Objects.requireNonNull(agent).close();
    Objects.requireNonNull(registry).close();
  }

  /// Of the first runtime service.
  ImageService images() {
    return Objects.requireNonNull(registry).imageServices().getFirst();
  }

  PodAgent agent() {
    return Objects.requireNonNull(agent);
  }

  @Override
  public void close() throws IOException {
    stop();
    mounts.unmountBelow(directory);
    client.close();
    delays.close();
    transport.close();
  }
}
