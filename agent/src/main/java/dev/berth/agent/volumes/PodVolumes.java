package dev.berth.agent.volumes;

import dev.berth.agent.files.DiskUsage;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/// Makes the volumes of pods ready and takes them away again.
///
/// All methods may be called again at any time, also after a restart of the agent, and may block.
public interface PodVolumes {
  /// Makes all volumes of a pod ready, before its first container is started; once more is no
  /// mistake.
  ///
  /// @throws VolumeException when one is not ready yet or never can be
  void prepare(Pod pod);

  /// The API says something else of a pod, which its volumes may show; does not block.
  default void changed(Pod pod) {}

  /// What a container finds mounted.
  ///
  /// @throws VolumeException when a mount names what is not there
  List<VolumeMounting> mounts(Pod pod, Container container);

  /// Why a pod uses more of a volume than it may; empty when it does not.
  default Optional<String> excess(Pod pod) {
    return Optional.empty();
  }

  /// What the volumes that end with a pod take of the node's disk.
  default DiskUsage used(Pod pod) {
    return DiskUsage.NONE;
  }

  /// Where the volumes lie that end with a pod, whether or not they are ready.
  default List<VolumeLocation> places(Pod pod) {
    return List.of();
  }

  /// Takes everything away that the pod had; nothing of it runs any more.
  void remove(Pod pod);
}
