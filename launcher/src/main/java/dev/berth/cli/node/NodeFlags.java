package dev.berth.cli.node;

import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.node.machine.WindowsMachine;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.runtimes.registration.EndpointFlags;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Quantity;
import dev.berth.cli.options.OptionSection;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.NodeSystem;
import dev.berth.launch.runtimes.RuntimeAccess;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The flags of a node, as `up` and `agent` take them; named as the kubelet's where it has them.
@OptionSection("Node")
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
      description = "Name of the node. Default: the host name of this machine.")
  private String nodeName = "";

  @Option(
      names = "--node-ip",
      paramLabel = "IP",
      defaultValue = "",
      description =
          "IP address of the node, on which its HTTPS server listens. Default: the address from"
              + " which this machine reaches the API server.")
  private String nodeIp = "";

  @OptionSection("Runtime")
  @ConfigKey("containerRuntimeEndpoint")
  @Option(
      names = EndpointFlags.RUNTIME,
      paramLabel = "ENDPOINTS",
      description =
          "Endpoints of the runtime services: one URL, or a list of TYPE:NAME:URL separated by"
              + " `;`, where TYPE is container or vm. docs/runtimes.md describes the format.")
  private @Nullable String runtimeEndpoint;

  @OptionSection("Runtime")
  @ConfigKey("imageServiceEndpoint")
  @Option(
      names = EndpointFlags.IMAGE,
      paramLabel = "ENDPOINTS",
      defaultValue = "",
      description =
          "Endpoints of the image services. Default: the endpoints of the runtime services.")
  private String imageEndpoint = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "",
      description =
          "YAML file of kind KubeletConfiguration whose fields stand for options of this"
              + " command, and with a list runtimeServices in place of --container-runtime-endpoint"
              + " and --image-service-endpoint. Options take precedence over the file.")
  private String config = "";

  @Option(
      names = "--node-labels",
      paramLabel = "K=V,...",
      defaultValue = "",
      description = "Comma-separated list of labels that the agent adds to its Node object.")
  private String labels = "";

  @ConfigKey(value = "registerWithTaints", shape = ConfigShape.TAINTS)
  @Option(
      names = TAINTS,
      paramLabel = "K=V:EFFECT,...",
      defaultValue = "",
      description =
          "Comma-separated list of taints with which the agent registers its Node object.")
  private String taints = "";

  @ConfigKey(value = "maxPods", shape = ConfigShape.COUNT)
  @Option(
      names = "--max-pods",
      paramLabel = "N",
      defaultValue = "",
      description = "Maximum number of pods on the node. Default: 110.")
  private String maxPods = "";

  @ConfigKey(value = "systemReserved", shape = ConfigShape.AMOUNTS)
  @Option(
      names = SYSTEM_RESERVED,
      paramLabel = "cpu=Q,memory=Q",
      defaultValue = "",
      description =
          "Resources that are reserved for the operating system and are not allocatable to"
              + " pods, such as cpu=500m,memory=1Gi.")
  private String systemReserved = "";

  @ConfigKey(value = "kubeReserved", shape = ConfigShape.AMOUNTS)
  @Option(
      names = KUBE_RESERVED,
      paramLabel = "cpu=Q,memory=Q",
      defaultValue = "",
      description =
          "Resources that are reserved for the agent and the runtimes and are not allocatable"
              + " to pods, in addition to --system-reserved.")
  private String kubeReserved = "";

  @OptionSection("Runtime")
  @ConfigKey("readinessPolicy")
  @Option(
      names = "--readiness-policy",
      paramLabel = "POLICY",
      defaultValue = "",
      description =
          "When the node is Ready: while all its runtime services are ready (all), or while at"
              + " least one is ready (partial). Default: partial.")
  private String readiness = "";

  @OptionSection("Runtime")
  @ConfigKey("unresolvedRuntimePolicy")
  @Option(
      names = "--unresolved-runtime-policy",
      paramLabel = "POLICY",
      defaultValue = "",
      description =
          "What happens to a pod whose RuntimeClass or handler does not exist."
              + " fail-missing-class: a missing RuntimeClass fails the pod, a missing handler is"
              + " retried (KEP-585). fail: both fail the pod, with a delay if pods of the same"
              + " controller failed before. retry: both are retried. Default: fail-missing-class.")
  private String unresolved = "";

  @OptionSection("Runtime")
  @Option(
      names = REMOTE,
      paramLabel = "remote",
      defaultValue = "",
      description =
          "Deprecated, as in the kubelet: the only accepted value is remote. Use"
              + " --container-runtime-endpoint.")
  private String containerRuntime = "";

  @OptionSection("Runtime")
  @Option(
      names = "--ignore-kubelet",
      description =
          "Use a runtime even if a kubelet uses it. The kubelet stops pods that it does not"
              + " know; by default such a runtime is refused.")
  private boolean ignoreKubelet;

  @OptionSection("Runtime")
  @Option(
      names = "--os",
      paramLabel = "SYSTEM",
      defaultValue = "",
      description =
          "Operating system of the runtime services: linux, or, for simulated runtime services,"
              + " windows or windows:VERSION. Default: the system of this machine.")
  private String system = "";

  @Mixin private PodFlags pods;

  /// The command that has these flags.
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /// What `--config` says.
  ConfigFile file(List<String> mistakes) {
    return ConfigFile.read(config, command, mistakes);
  }

  /// The checked values; incomplete when there are mistakes.
  ///
  /// @param listenOn used when no address of the node is given; null to find one
  /// @param registries of the same command
  public AgentConfig read(
      Path dataDir,
      @Nullable InetAddress listenOn,
      int port,
      RegistryFlags registries,
      List<String> mistakes) {
    ConfigFile file = file(mistakes);
    return read(dataDir, listenOn, port, file, mistakes).with(registries.read(file, mistakes));
  }

  AgentConfig read(
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

  /// Warnings about flags that are accepted and have no effect.
  public List<String> notices() {
    return containerRuntime.isEmpty()
        ? List.of()
        : List.of(REMOTE + " is deprecated and has no effect; remove it");
  }

  private NodeSystem system(List<String> mistakes) {
    return NodeSystem.parse(system.isEmpty() ? ofThisMachine() : system)
        .orElseGet(
            () -> {
              mistakes.add(
                  "--os=%s: must be linux, windows or windows:VERSION, such as windows:10.0.17763.805"
                      .formatted(system));
              return new LinuxSystem();
            });
  }

  private static String ofThisMachine() {
    return WindowsMachine.isThisSystem(System.getProperty("os.name", "")) ? "windows" : "linux";
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
