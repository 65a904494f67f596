package dev.berth.agent.volumes.payloads;

import dev.berth.agent.volumes.VolumeException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;

/// What a pod may read about itself in a file.
public interface DownwardValues {
  /// A field of the pod, by its path.
  ///
  /// @throws VolumeException for a field that no file can show
  String field(Pod pod, String path);

  /// An amount that a container asks for or may use at most.
  ///
  /// @throws VolumeException for a resource that no file can show
  String resource(Pod pod, ResourceFieldSelector selector);
}
