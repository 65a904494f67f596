package dev.berth.launch.agent;

import dev.berth.agent.images.EntryResolver;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.node.certificates.ServingFiles;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Quantity;
import dev.berth.launch.runtimes.RuntimeAccess;
import dev.berth.registry.configuration.RegistryAccess;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The configuration of a node's agent: what the command line and the configuration file decide,
/// already checked.
///
/// @param dataDir the data directory; `berth runtimes` finds the agent by its subdirectory `agent`
/// @param nodeName empty for the host name of the machine
/// @param address IP address of the node, on which its server listens; null for the address from
///   which the machine reaches the API server
/// @param port of the node's HTTPS server; 0 selects any free port
/// @param runtimes runtime services from flags or the configuration file
/// @param serving files with the serving certificate; null if an API server or the node issues it
/// @param access which other runtime services the agent may use
/// @param requestServing whether the serving certificate is requested with a
///   CertificateSigningRequest
/// @param entries says what images have; null for their registries
public record AgentConfig(
    Path dataDir,
    String nodeName,
    @Nullable InetAddress address,
    int port,
    List<RuntimeDeclaration> runtimes,
    Traits traits,
    @Nullable ServingFiles serving,
    RuntimeAccess access,
    boolean requestServing,
    @Nullable EntryResolver entries) {
  public AgentConfig {
    runtimes = List.copyOf(runtimes);
  }

  public AgentConfig(
      Path dataDir,
      String nodeName,
      @Nullable InetAddress address,
      int port,
      List<RuntimeDeclaration> runtimes,
      Traits traits) {
    this(
        dataDir, nodeName, address, port, runtimes, traits, null, RuntimeAccess.USUAL, false, null);
  }

  public AgentConfig servingWith(@Nullable ServingFiles files) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, files, access, requestServing, entries);
  }

  public AgentConfig with(RuntimeAccess other) {
    return new AgentConfig(
        dataDir,
        nodeName,
        address,
        port,
        runtimes,
        traits,
        serving,
        other,
        requestServing,
        entries);
  }

  public AgentConfig with(RegistryAccess registries) {
    return new AgentConfig(
        dataDir,
        nodeName,
        address,
        port,
        runtimes,
        traits.with(registries),
        serving,
        access,
        requestServing,
        entries);
  }

  public AgentConfig requestingServing(boolean choice) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, serving, access, choice, entries);
  }

  /// For a node whose images are simulated.
  public AgentConfig with(EntryResolver other) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, serving, access, requestServing, other);
  }

  /// The properties of the node that it offers, and the rules for its pods.
  ///
  /// @param system the operating system of the runtime services
  /// @param registries how the agent reaches image registries
  public record Traits(
      Map<String, String> labels,
      List<Taint> taints,
      int maxPods,
      Map<String, Quantity> reserved,
      ReadinessPolicy readiness,
      PodSettings pods,
      NodeSystem system,
      RegistryAccess registries) {
    public static final Traits PLAIN =
        new Traits(
            Map.of(),
            List.of(),
            NodeOptions.MAX_PODS,
            Map.of(),
            ReadinessPolicy.PARTIAL,
            PodSettings.USUAL,
            new LinuxSystem());

    /// Without mirrors, proxies and authorities of registries.
    public Traits(
        Map<String, String> labels,
        List<Taint> taints,
        int maxPods,
        Map<String, Quantity> reserved,
        ReadinessPolicy readiness,
        PodSettings pods,
        NodeSystem system) {
      this(labels, taints, maxPods, reserved, readiness, pods, system, RegistryAccess.USUAL);
    }

    public Traits {
      labels = Map.copyOf(labels);
      taints = List.copyOf(taints);
      reserved = Map.copyOf(reserved);
    }

    public Traits with(PodSettings other) {
      return new Traits(labels, taints, maxPods, reserved, readiness, other, system, registries);
    }

    Traits with(RegistryAccess others) {
      return new Traits(labels, taints, maxPods, reserved, readiness, pods, system, others);
    }
  }

  AgentConfig with(List<RuntimeDeclaration> others) {
    return new AgentConfig(
        dataDir, nodeName, address, port, others, traits, serving, access, requestServing, entries);
  }

  AgentConfig at(InetAddress other) {
    return new AgentConfig(
        dataDir, nodeName, other, port, runtimes, traits, serving, access, requestServing, entries);
  }

  AgentConfig named(String name) {
    return new AgentConfig(
        dataDir, name, address, port, runtimes, traits, serving, access, requestServing, entries);
  }

  NodeOptions options(InetAddress ownAddress) {
    return new NodeOptions(
        nodeName,
        List.of(ownAddress),
        traits.labels(),
        traits.taints(),
        traits.maxPods(),
        traits.reserved(),
        traits.readiness(),
        traits.pods().pressure());
  }
}
