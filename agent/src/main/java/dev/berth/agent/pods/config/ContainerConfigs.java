package dev.berth.agent.pods.config;

import com.google.protobuf.ByteString;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.KeyValue;
import dev.berth.cri.v1.Mount;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Computes the CRI configuration of containers.
public final class ContainerConfigs {
  private final NodeSettings node;
  private final PlatformConfig platform;
  private final ReferencedObjects references;

  public ContainerConfigs(
      NodeSettings node, PlatformConfig platform, ReferencedObjects references) {
    this.node = node;
    this.platform = platform;
    this.references = references;
  }

  /// The configuration of one container instance.
  ///
  /// @param addresses the pod's addresses
  /// @param mounts all mounts, the agent's own files included
  /// @throws ConfigException when something that the pod refers to is missing
  public ContainerConfig of(
      Pod pod, ContainerContext place, int attempt, List<String> addresses, List<Mount> mounts) {
    Container container = place.container();
    Map<String, String> variables =
        new ContainerEnvironment(pod, container, new PodFields(node, addresses), references)
            .compute();
    ContainerConfig.Builder config =
        ContainerConfig.newBuilder()
            .setMetadata(
                ContainerMetadata.newBuilder().setName(container.getName()).setAttempt(attempt))
            .setImage(
                ImageSpec.newBuilder()
                    .setImage(place.image().reference())
                    .setUserSpecifiedImage(Objects.requireNonNullElse(container.getImage(), "")))
            .addAllCommand(VariableExpansion.all(container.getCommand(), variables))
            .addAllArgs(VariableExpansion.all(container.getArgs(), variables))
            .setWorkingDir(Objects.requireNonNullElse(container.getWorkingDir(), ""))
            .addAllMounts(mounts)
            .putAllLabels(PodLabels.ofContainer(pod, container.getName()))
            .putAllAnnotations(PodLabels.annotationsOfContainer(pod, container, attempt))
            .setLogPath(LogPaths.ofContainer(container.getName(), attempt))
            .setStdin(Boolean.TRUE.equals(container.getStdin()))
            .setStdinOnce(Boolean.TRUE.equals(container.getStdinOnce()))
            .setTty(Boolean.TRUE.equals(container.getTty()));
    variables.forEach((name, value) -> config.addEnvs(variable(name, value)));
    platform.fill(config, pod, place);
    return config.build();
  }

  /// The container with `subPathExpr` expanded by its environment.
  ///
  /// @throws ConfigException when a variable is missing
  public Container withSubPaths(Pod pod, Container container, List<String> addresses) {
    if (container.getVolumeMounts().stream().noneMatch(ContainerConfigs::isExpression)) {
      return container;
    }
    Map<String, String> variables =
        new ContainerEnvironment(pod, container, new PodFields(node, addresses), references)
            .compute();
    List<VolumeMount> mounts =
        container.getVolumeMounts().stream()
            .map(mount -> isExpression(mount) ? expanded(mount, variables) : mount)
            .toList();
    return new ContainerBuilder(container).withVolumeMounts(mounts).build();
  }

  private static boolean isExpression(VolumeMount mount) {
    return mount.getSubPathExpr() != null && !mount.getSubPathExpr().isEmpty();
  }

  /// An empty variable would select another directory than intended, so it counts as missing.
  private static VolumeMount expanded(VolumeMount mount, Map<String, String> variables) {
    Set<String> missing = new TreeSet<>();
    String path =
        VariableExpansion.of(
            mount.getSubPathExpr(),
            name -> {
              String value = variables.getOrDefault(name, "");
              if (value.isEmpty()) {
                missing.add(name);
              }
              return value;
            });
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "missing value for %s in subPathExpr \"%s\" of volumeMount \"%s\""
              .formatted(String.join(", ", missing), mount.getSubPathExpr(), mount.getName()));
    }
    return new VolumeMountBuilder(mount).withSubPathExpr(null).withSubPath(path).build();
  }

  private static KeyValue variable(String name, String value) {
    return KeyValue.newBuilder().setKey(name).setValue(ByteString.copyFromUtf8(value)).build();
  }
}
