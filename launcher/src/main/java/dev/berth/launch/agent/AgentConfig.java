package dev.berth.launch.agent;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.node.certificates.ServingFiles;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Quantity;
import dev.berth.launch.runtimes.RuntimeAccess;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that the command line decides about a node's agent, already checked.
///
/// @param dataDir holds what the agent keeps; below it, `agent` is where `berth runtimes` finds it
/// @param nodeName empty as long as the name of the machine is meant
/// @param address of the node, also the one to listen on; null for the one towards the API server
/// @param port of the node's HTTPS server; 0 takes any free one
/// @param runtimes services from flags or configuration
/// @param serving the certificate of the node's server; null for one from the API server
/// @param access which other runtime services it may use
/// @param requestServing whether that certificate is requested by a CertificateSigningRequest
public record AgentConfig(
    Path dataDir,
    String nodeName,
    @Nullable InetAddress address,
    int port,
    List<RuntimeDeclaration> runtimes,
    Traits traits,
    @Nullable ServingFiles serving,
    RuntimeAccess access,
    boolean requestServing) {
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
    this(dataDir, nodeName, address, port, runtimes, traits, null, RuntimeAccess.USUAL, false);
  }

  public AgentConfig servingWith(@Nullable ServingFiles files) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, files, access, requestServing);
  }

  public AgentConfig with(RuntimeAccess other) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, serving, other, requestServing);
  }

  public AgentConfig requestingServing(boolean choice) {
    return new AgentConfig(
        dataDir, nodeName, address, port, runtimes, traits, serving, access, choice);
  }

  /// What the node is like.
  ///
  /// @param system of its runtime services
  public record Traits(
      Map<String, String> labels,
      List<Taint> taints,
      int maxPods,
      Map<String, Quantity> reserved,
      ReadinessPolicy readiness,
      PodSettings pods,
      NodeSystem system) {
    public static final Traits PLAIN =
        new Traits(
            Map.of(),
            List.of(),
            NodeOptions.MAX_PODS,
            Map.of(),
            ReadinessPolicy.PARTIAL,
            PodSettings.USUAL,
            new LinuxSystem());

    public Traits {
      labels = Map.copyOf(labels);
      taints = List.copyOf(taints);
      reserved = Map.copyOf(reserved);
    }

    public Traits with(PodSettings other) {
      return new Traits(labels, taints, maxPods, reserved, readiness, other, system);
    }
  }

  AgentConfig with(List<RuntimeDeclaration> others) {
    return new AgentConfig(
        dataDir, nodeName, address, port, others, traits, serving, access, requestServing);
  }

  AgentConfig at(InetAddress other) {
    return new AgentConfig(
        dataDir, nodeName, other, port, runtimes, traits, serving, access, requestServing);
  }

  AgentConfig named(String name) {
    return new AgentConfig(
        dataDir, name, address, port, runtimes, traits, serving, access, requestServing);
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
