package dev.berth.agent.volumes.types;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;

/// The directories of volumes on this node.
///
/// @param pods one directory per pod, by UID
/// @param memory the same in memory, for data that must not reach the disk
public record VolumeDirectories(Path pods, Path memory) {
  /// @param type the name of the volume type's directory, as the kubelet has it
  Path onDisk(Pod pod, String type, String volume) {
    return ofPod(pod).resolve("volumes").resolve(type).resolve(volume);
  }

  /// The same for files that must not reach the disk.
  public Path inMemory(Pod pod, String type, String volume) {
    return inMemory(pod).resolve("volumes").resolve(type).resolve(volume);
  }

  public Path ofPod(Pod pod) {
    return pods.resolve(pod.getMetadata().getUid());
  }

  public Path inMemory(Pod pod) {
    return memory.resolve(pod.getMetadata().getUid());
  }

  /// Where a subPath is bind-mounted for a container.
  public Path subPath(Pod pod, String volume, String container, int index) {
    return ofPod(pod)
        .resolve("volume-subpaths")
        .resolve(volume)
        .resolve(container)
        .resolve(Integer.toString(index));
  }
}
