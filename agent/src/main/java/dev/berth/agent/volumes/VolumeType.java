package dev.berth.agent.volumes;

import dev.berth.api.Problem;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The sorts of volumes that the agent serves, with the directory each has below a pod's `volumes`,
/// as the kubelet names them.
enum VolumeType {
  EMPTY_DIR("emptyDir", "kubernetes.io~empty-dir"),
  HOST_PATH("hostPath", ""),
  CONFIG_MAP("configMap", "kubernetes.io~configmap"),
  SECRET("secret", "kubernetes.io~secret"),
  DOWNWARD_API("downwardAPI", "kubernetes.io~downward-api"),
  PROJECTED("projected", "kubernetes.io~projected");

  private static final String SERVED =
      Arrays.stream(values()).map(type -> type.field).collect(Collectors.joining(", "));

  private final String field;
  private final String directory;

  VolumeType(String field, String directory) {
    this.field = field;
    this.directory = directory;
  }

  String directory() {
    return directory;
  }

  /// Whether its files are written by the agent, and again when their source changes.
  boolean hasPayload() {
    return this != EMPTY_DIR && this != HOST_PATH;
  }

  /// The sort of a volume.
  ///
  /// @throws VolumeException for a sort that is not served
  static VolumeType of(Pod pod, Volume volume) {
    return find(volume)
        .orElseThrow(
            () ->
                new VolumeException(
                    new Problem(
                        "volume \"%s\" of pod %s/%s cannot be mounted"
                            .formatted(
                                volume.getName(),
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName()),
                        "the agent does not serve volumes of its type",
                        "Use one of " + SERVED)));
  }

  /// Empty for a sort that is not served.
  static Optional<VolumeType> find(Volume volume) {
    if (volume.getHostPath() != null) {
      return Optional.of(HOST_PATH);
    } else if (volume.getConfigMap() != null) {
      return Optional.of(CONFIG_MAP);
    } else if (volume.getSecret() != null) {
      return Optional.of(SECRET);
    } else if (volume.getDownwardAPI() != null) {
      return Optional.of(DOWNWARD_API);
    } else if (volume.getProjected() != null) {
      return Optional.of(PROJECTED);
    } else if (volume.getEmptyDir() != null) {
      return Optional.of(EMPTY_DIR);
    }
    return Optional.empty();
  }
}
