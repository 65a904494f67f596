package dev.berth.cli.node;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.runtimes.registration.EndpointFlags;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Quantity;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.NodeSystem;
import dev.berth.launch.runtimes.RuntimeAccess;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags of a node, as `up` and `agent` take them; named as the kubelet's where it has them.
public final class NodeFlags {
  private static final String REMOTE = "--container-runtime";
  private static final String SYSTEM_RESERVED = "--system-reserved";
  private static final String KUBE_RESERVED = "--kube-reserved";
  private static final String TAINTS = "--register-with-taints";
  private static final String MAX_PODS = Integer.toString(NodeOptions.MAX_PODS);

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
      description =
          "Runtime services: TYPE:NAME:URL, several separated by `;`, or one URL. See docs/runtimes.md.")
  private @Nullable String runtimeEndpoint;

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
      description =
          "YAML: a KubeletConfiguration (the fields that stand for flags here), and a list"
              + " `runtimeServices` instead of the two flags above. Flags count more.")
  private String config = "";

  @Option(
      names = "--node-labels",
      paramLabel = "K=V,...",
      defaultValue = "",
      description = "Labels that the node gives itself.")
  private String labels = "";

  @Option(
      names = TAINTS,
      paramLabel = "K=V:EFFECT,...",
      defaultValue = "",
      description = "Taints with which the node is registered.")
  private String taints = "";

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      defaultValue = "",
      description = "How many pods the node takes. Default: 110.")
  private String maxPods = "";

  @Option(
      names = SYSTEM_RESERVED,
      paramLabel = "cpu=Q,memory=Q",
      defaultValue = "",
      description = "What the system keeps from pods.")
  private String systemReserved = "";

  @Option(
      names = KUBE_RESERVED,
      paramLabel = "cpu=Q,memory=Q",
      defaultValue = "",
      description = "What the agent and runtimes keep from pods, beside that.")
  private String kubeReserved = "";

  @Option(
      names = "--readiness-policy",
      paramLabel = "POLICY",
      defaultValue = "",
      description =
          "The node is ready when all its runtime services are (all), or while one is (partial)."
              + " Default: partial.")
  private String readiness = "";

  @Option(
      names = "--unresolved-runtime-policy",
      paramLabel = "POLICY",
      defaultValue = "",
      description =
          "What becomes of a pod whose RuntimeClass or handler is not there. fail-missing-class: a"
              + " RuntimeClass that does not exist fails the pod, a handler that the node does not"
              + " have is retried (KEP-585). fail: either fails the pod, after a pause when its"
              + " controller had several failures. retry: either is retried. Default: fail-missing-class.")
  private String unresolved = "";

  @Option(
      names = REMOTE,
      paramLabel = "remote",
      defaultValue = "",
      description =
          "Deprecated, as in the kubelet: the only value is remote, and --container-runtime-endpoint"
              + " says where.")
  private String containerRuntime = "";

  @Option(
      names = "--ignore-kubelet",
      description =
          "Also use a runtime that a kubelet uses. The kubelet ends pods that it does not know; by"
              + " default such a runtime is refused.")
  private boolean ignoreKubelet;

  @Option(
      names = "--os",
      paramLabel = "SYSTEM",
      defaultValue = "linux",
      description =
          "The system of the runtime services: linux, or, with simulated ones, windows or"
              + " windows:VERSION. Default: ${DEFAULT-VALUE}.")
  private String system = "";

  @Mixin private PodFlags pods;

  /// What `--config` says.
  ///
  /// @param fields those that the command honours
  public ConfigFile file(Set<String> fields, List<String> mistakes) {
    return ConfigFile.read(config, fields, mistakes);
  }

  /// The checked values; incomplete when there are mistakes.
  ///
  /// @param listenOn used when no address of the node is given; null to find one
  public AgentConfig read(
      Path dataDir,
      @Nullable InetAddress listenOn,
      int port,
      ConfigFile file,
      List<String> mistakes) {
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    readRemote(mistakes);
    InetAddress address = nodeIp.isEmpty() ? listenOn : reader.address("--node-ip", nodeIp);
    reader.name("--node-name", nodeName);
    AgentConfig read =
        new AgentConfig(
            dataDir,
            nodeName,
            address,
            port,
            runtimes(file, mistakes),
            new AgentConfig.Traits(
                reader.labels("--node-labels", labels),
                reader.taints(TAINTS, file.value(TAINTS, taints, "")),
                reader.number("--max-pods", file.value("--max-pods", maxPods, MAX_PODS)),
                reserved(file, reader),
                readiness(file, mistakes),
                pods.read(file, unresolved(file, mistakes), mistakes),
                system(mistakes)));
    return read.with(new RuntimeAccess(false, ignoreKubelet));
  }

  private void readRemote(List<String> mistakes) {
    if (!containerRuntime.isEmpty() && !containerRuntime.equals("remote")) {
      mistakes.add(
          "%s=%s: must be remote; name runtimes with --container-runtime-endpoint, such as unix:///run/containerd/containerd.sock"
              .formatted(REMOTE, containerRuntime));
    }
  }

  /// What is accepted and has no effect any more.
  public List<String> notices() {
    return containerRuntime.isEmpty()
        ? List.of()
        : List.of(REMOTE + " is deprecated and has no effect; leave it out");
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

  private Map<String, Quantity> reserved(ConfigFile file, NodeFlagReader reader) {
    Map<String, Quantity> sum =
        new HashMap<>(
            reader.reserved(SYSTEM_RESERVED, file.value(SYSTEM_RESERVED, systemReserved, "")));
    reader
        .reserved(KUBE_RESERVED, file.value(KUBE_RESERVED, kubeReserved, ""))
        .forEach((resource, amount) -> sum.merge(resource, amount, Quantity::plus));
    return sum;
  }

  private ReadinessPolicy readiness(ConfigFile file, List<String> mistakes) {
    String name = file.value("--readiness-policy", readiness, "partial");
    return ReadinessPolicy.of(name)
        .orElseGet(
            () -> {
              mistakes.add("--readiness-policy=" + name + ": must be all or partial");
              return ReadinessPolicy.PARTIAL;
            });
  }

  private UnresolvedPolicy unresolved(ConfigFile file, List<String> mistakes) {
    UnresolvedPolicy usual = UnresolvedPolicy.FAIL_MISSING_CLASS;
    String name = file.value("--unresolved-runtime-policy", unresolved, usual.toString());
    return UnresolvedPolicy.parse(name)
        .orElseGet(
            () -> {
              mistakes.add(
                  "--unresolved-runtime-policy=%s: must be one of %s"
                      .formatted(name, UnresolvedPolicy.accepted()));
              return usual;
            });
  }

  private List<RuntimeDeclaration> runtimes(ConfigFile file, List<String> mistakes) {
    if (runtimeEndpoint == null && !file.runtimes().isEmpty()) {
      return file.runtimes();
    }
    String endpoints =
        runtimeEndpoint != null ? runtimeEndpoint : file.value(EndpointFlags.RUNTIME, "", "");
    String images = file.value(EndpointFlags.IMAGE, imageEndpoint, "");
    if (runtimeEndpoint == null && endpoints.isEmpty() && images.isEmpty()) {
      return List.of();
    }
    try {
      return EndpointFlags.read(endpoints, images);
    } catch (RegistrationException e) {
      e.problems().forEach(problem -> mistakes.add(problem.toString()));
      return List.of();
    }
  }
}
