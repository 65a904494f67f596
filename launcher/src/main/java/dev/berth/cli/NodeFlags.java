package dev.berth.cli;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.runtimes.registration.EndpointFlags;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.launch.AgentConfig;
import dev.berth.launch.LinuxSystem;
import dev.berth.launch.NodeSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of a node, as `up` and `agent` take them; named as the kubelet's where it has them.
final class NodeFlags {
  @Option(
      names = {"--node-name", "--hostname-override"},
      paramLabel = "NAME",
      defaultValue = "",
      description = "The node's name. Default: this machine's host name.")
  private String nodeName = "";

  @Option(
      names = "--node-ip",
      paramLabel = "IP",
      defaultValue = "",
      description =
          "The node's address, on which it also listens. Default: the one that faces the API"
              + " server.")
  private String nodeIp = "";

  @Option(
      names = EndpointFlags.RUNTIME,
      paramLabel = "ENDPOINTS",
      defaultValue = "",
      description =
          "Runtime services: TYPE:NAME:URL, several separated by `;`, or one URL. See docs/runtimes.md.")
  private String runtimeEndpoint = "";

  @Option(
      names = EndpointFlags.IMAGE,
      paramLabel = "ENDPOINTS",
      defaultValue = "",
      description = "Where the images of runtime services are, if not with themselves.")
  private String imageEndpoint = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "",
      description = "YAML with a list `runtimeServices`, instead of the two flags above.")
  private String config = "";

  @Option(
      names = "--node-labels",
      paramLabel = "K=V,...",
      defaultValue = "",
      description = "Labels that the node gives itself.")
  private String labels = "";

  @Option(
      names = "--register-with-taints",
      paramLabel = "K=V:EFFECT,...",
      defaultValue = "",
      description = "Taints with which the node is registered.")
  private String taints = "";

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      defaultValue = "110",
      description = "How many pods the node takes. Default: ${DEFAULT-VALUE}.")
  private String maxPods = "";

  @Option(
      names = {"--system-reserved", "--kube-reserved"},
      paramLabel = "cpu=Q,memory=Q",
      defaultValue = "",
      description = "What pods do not get.")
  private String reserved = "";

  @Option(
      names = "--readiness-policy",
      paramLabel = "POLICY",
      defaultValue = "partial",
      description =
          "The node is ready when all its runtime services are (all), or while one is (partial)."
              + " Default: ${DEFAULT-VALUE}.")
  private String readiness = "";

  @Option(
      names = "--unresolved-runtime-policy",
      paramLabel = "POLICY",
      defaultValue = "fail",
      description =
          "What becomes of a pod whose RuntimeClass or handler is not there: fail, or retry for ever"
              + " as upstream does. Default: ${DEFAULT-VALUE}.")
  private String unresolved = "";

  @Option(
      names = "--os",
      paramLabel = "SYSTEM",
      defaultValue = "linux",
      description =
          "The system of the runtime services: linux, or, with simulated ones, windows or"
              + " windows:VERSION. Default: ${DEFAULT-VALUE}.")
  private String system = "";

  /// The checked values; incomplete when there are mistakes.
  ///
  /// @param listenOn used when no address of the node is given; null to find one
  AgentConfig read(Path dataDir, @Nullable InetAddress listenOn, int port, List<String> mistakes) {
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    InetAddress address = nodeIp.isEmpty() ? listenOn : reader.address("--node-ip", nodeIp);
    reader.name("--node-name", nodeName);
    if (!List.of("fail", "retry").contains(unresolved)) {
      mistakes.add("--unresolved-runtime-policy=" + unresolved + ": must be fail or retry");
    }
    ReadinessPolicy policy =
        ReadinessPolicy.of(readiness)
            .orElseGet(
                () -> {
                  mistakes.add("--readiness-policy=" + readiness + ": must be all or partial");
                  return ReadinessPolicy.PARTIAL;
                });
    return new AgentConfig(
        dataDir,
        nodeName,
        address,
        port,
        runtimes(mistakes),
        new AgentConfig.Traits(
            reader.labels("--node-labels", labels),
            reader.taints("--register-with-taints", taints),
            reader.number("--max-pods", maxPods, NodeOptions.MAX_PODS),
            reader.quantities("--system-reserved", reserved),
            policy,
            unresolved.equals("retry"),
            system(mistakes)));
  }

  private NodeSystem system(List<String> mistakes) {
    return NodeSystem.parse(system)
        .orElseGet(
            () -> {
              mistakes.add(
                  "--os=%s: must be linux, windows or windows:VERSION, such as windows:10.0.17763.805"
                      .formatted(system));
              return new LinuxSystem();
            });
  }

  private List<RuntimeDeclaration> runtimes(List<String> mistakes) {
    try {
      if (!runtimeEndpoint.isEmpty()) {
        return EndpointFlags.read(runtimeEndpoint, imageEndpoint);
      }
      if (!config.isEmpty()) {
        return RuntimeYaml.readConfiguration(config, Files.readString(Path.of(config)));
      }
    } catch (RegistrationException e) {
      e.problems().forEach(problem -> mistakes.add(problem.toString()));
    } catch (IOException e) {
      mistakes.add("--config=%s: cannot be read: %s".formatted(config, e.getMessage()));
    }
    return List.of();
  }
}
