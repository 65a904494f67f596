package dev.berth.launch.agent;

import dev.berth.agent.images.EntryResolver;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.RegistryEntries;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.pods.AgentDependencies;
import dev.berth.agent.pods.PodAgentConfig;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.references.PodDownward;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.probes.ContainerProbes;
import dev.berth.agent.probes.ProbeMetrics;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.volumes.host.HostVolumes;
import dev.berth.agent.volumes.mounts.LinuxMounts;
import dev.berth.agent.volumes.mounts.UnmountedDirectories;
import dev.berth.agent.volumes.payloads.ApiVolumeSources;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.connection.AgentConnection;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.runtimes.ClusterId;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.configuration.ReloadedSettings;
import dev.berth.registry.platforms.ImagePlatform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.random.RandomGenerator;

/// Opens everything that the pod agent of a node works with: volumes, cgroups, probes, registries.
record PodComponents(
    AgentConfig config,
    NodeOptions options,
    DelayedActions delays,
    Clock clock,
    RandomGenerator random) {
  /// The observers that the pods report to.
  record Watching(NodePressure pressure, PodMetrics metrics, ProbeMetrics probes) {}

  /// What the pod agent is started with, and the volumes that are refreshed beside it.
  record Opened(PodAgentConfig config, AgentDependencies dependencies, HostVolumes volumes) {}

  /// @param closeables gets whatever must be closed after the pod agent
  Opened open(
      AgentConnection uplink,
      RuntimeServices runtimes,
      ImageMemory images,
      MachineInfo machine,
      Watching watching,
      Closeables closeables)
      throws IOException {
    ApiClient client = uplink.client();
    Path directory = config.dataDir().resolve("agent");
    PodSettings rules = config.traits().pods();
    NodeSystem system = config.traits().system();
    // Mounts and cgroups need root, a runtime with processes, and a system that has them.
    boolean isReal = hasRealRuntime() && system.hasMounts() && DefaultDataDir.isRoot();
    PodGroups groups = PodGroups.open(rules.groups(), isReal, machine.size(), options);
    groups.remember(directory);
    NodeSettings settings =
        settings(directory, machine.size())
            .with(groups.settings())
            .with(rules.dns())
            .withApiServer(forPods(uplink.server()))
            .ofCluster(ClusterId.of(directory, uplink.authority()))
            .withLogs(rules.housekeeping().podLogs().orElse(directory.resolve("logs")));
    // Added before the pods' agent, so that it runs after the agent has stopped.
    if (DefaultDataDir.isRoot() && system.hasMounts()) {
      closeables.add(() -> PodMemory.releaseEmpty(directory));
    }
    HostVolumes volumes =
        HostVolumes.open(
            new VolumeDirectories(settings.pods(), PodMemory.of(directory)),
            new ApiVolumeSources(client),
            new PodDownward(settings),
            isReal ? new LinuxMounts() : new UnmountedDirectories(),
            settings::memoryOf,
            clock);
    AgentDependencies dependencies =
        new AgentDependencies(
                client,
                runtimes,
                images,
                volumes,
                groups.cgroups(),
                closeables.add(new ContainerProbes(delays, clock, watching.probes())),
                delays,
                clock,
                random)
            .with(watching.pressure(), watching.metrics());
    return new Opened(
        podConfig(settings, rules, machine, entries(closeables))
            .with(system.platform(settings, rules, isReal)),
        dependencies,
        volumes);
  }

  private EntryResolver entries(Closeables closeables) {
    EntryResolver given = config.entries();
    if (given != null) {
      return given;
    }
    ReloadedSettings settings =
        new ReloadedSettings(config.traits().registries(), System::nanoTime);
    return new RegistryEntries(
        closeables.add(new RegistryClient(() -> RegistryEntries.settings(settings.get()))));
  }

  private NodeSettings settings(Path directory, MachineInfo.Size size) {
    List<String> addresses = options.addresses().stream().map(InetAddress::getHostAddress).toList();
    return NodeSettings.of(options.name(), addresses, directory)
        .with(
            new ContainerCapacity(size.cpus() * 1000, size.memory(), size.storage()),
            options.forPods(size));
  }

  /// The address of the API server for pods. A server on all addresses has the loopback address in
  /// its kubeconfig, which in a pod means the pod itself.
  private String forPods(URI server) {
    boolean isHere = server.getHost().matches("127\\..*|localhost|\\[::1\\]");
    InetAddress own = options.addresses().getFirst();
    if (!isHere || own.isLoopbackAddress()) {
      return server.toString();
    }
    String host = own.getHostAddress();
    return "https://%s:%d"
        .formatted(host.contains(":") ? "[" + host + "]" : host, server.getPort());
  }

  private static PodAgentConfig podConfig(
      NodeSettings settings, PodSettings rules, MachineInfo machine, EntryResolver entries) {
    return PodAgentConfig.of(settings).with(rules).with(pulls(machine, rules, entries));
  }

  private static PullSettings pulls(MachineInfo machine, PodSettings rules, EntryResolver entries) {
    return new PullSettings(
        rules.housekeeping().parallelPulls(),
        new ImagePlatform(machine.system(), machine.architecture(), "", machine.windowsBuild()),
        entries);
  }

  /// Whether any runtime starts processes. A simulated runtime needs neither mounts nor cgroups,
  /// and only root may make them.
  private boolean hasRealRuntime() {
    return config.runtimes().stream()
        .map(RuntimeDeclaration::endpoint)
        .anyMatch(endpoint -> !(endpoint instanceof CriEndpoint.InProcess));
  }
}
