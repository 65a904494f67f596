package dev.berth.agent.pods.config;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PortMapping;
import dev.berth.cri.v1.Protocol;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Computes the CRI configuration of sandboxes.
public final class SandboxConfigs {
  private final NodeSettings node;
  private final PlatformConfig platform;
  private final DnsConfigs dns;

  public SandboxConfigs(NodeSettings node, PlatformConfig platform) {
    this.node = node;
    this.platform = platform;
    this.dns = new DnsConfigs(node.dns());
  }

  public PodSandboxConfig of(Pod pod, int attempt) {
    ObjectMeta metadata = pod.getMetadata();
    PodSandboxConfig.Builder config = PodSandboxConfig.newBuilder();
    config.setMetadata(
        PodSandboxMetadata.newBuilder()
            .setName(metadata.getName())
            .setNamespace(metadata.getNamespace())
            .setUid(metadata.getUid())
            .setAttempt(attempt));
    config.putAllLabels(PodLabels.ofSandbox(pod, node.own()));
    config.putAllAnnotations(PodLabels.annotationsOfSandbox(pod));
    config.setLogDirectory(LogPaths.ofPod(node, pod).toString());
    config.setDnsConfig(dns.of(pod));
    if (!isInHostNetwork(pod)) {
      config.setHostname(PodName.of(pod, node.dns().domain()).ofSandbox(pod));
      addPorts(config, pod);
    }
    platform.fill(config, pod);
    return config.build();
  }

  /// Warnings about the pod's DNS configuration.
  public List<String> dnsWarnings(Pod pod) {
    return dns.warnings(pod);
  }

  public static boolean isInHostNetwork(Pod pod) {
    return Boolean.TRUE.equals(pod.getSpec().getHostNetwork());
  }

  private static void addPorts(PodSandboxConfig.Builder config, Pod pod) {
    Stream.concat(
            pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
        .map(Container::getPorts)
        .flatMap(ports -> ports.stream())
        .map(SandboxConfigs::mapping)
        .forEach(config::addPortMappings);
  }

  private static PortMapping mapping(ContainerPort port) {
    return PortMapping.newBuilder()
        .setContainerPort(Objects.requireNonNullElse(port.getContainerPort(), 0))
        .setHostPort(Objects.requireNonNullElse(port.getHostPort(), 0))
        .setHostIp(Objects.requireNonNullElse(port.getHostIP(), ""))
        .setProtocol(protocol(port.getProtocol()))
        .build();
  }

  private static Protocol protocol(@org.jspecify.annotations.Nullable String name) {
    return name == null || name.isEmpty() ? Protocol.TCP : Protocol.valueOf(name);
  }
}
