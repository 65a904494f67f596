package dev.berth.agent.volumes;

import dev.berth.agent.files.DiskUsage;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/// Prepares and removes the volumes of pods.
///
/// All methods are idempotent, also across restarts of the agent, and may block.
public interface PodVolumes {
  /// Prepares all volumes of a pod before its first container starts; idempotent.
  ///
  /// @throws VolumeException when a volume is not ready yet or never can be
  void prepare(Pod pod);

  /// Reports that the pod's API object changed, which downward API volumes may show. Does not
  /// block.
  default void changed(Pod pod) {}

  /// The mounts of a container.
  ///
  /// @throws VolumeException when a mount names a volume that does not exist
  List<VolumeMounting> mounts(Pod pod, Container container);

  /// Why the pod exceeds the limit of a volume; empty when it does not.
  default Optional<String> excess(Pod pod) {
    return Optional.empty();
  }

  /// The disk usage of the volumes that end with the pod.
  default DiskUsage used(Pod pod) {
    return DiskUsage.NONE;
  }

  /// The directories of the volumes that end with the pod, whether or not they are ready.
  default List<VolumeLocation> places(Pod pod) {
    return List.of();
  }

  /// Removes everything of the pod's volumes. The pod must have stopped.
  void remove(Pod pod);
}
