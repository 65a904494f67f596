package dev.berth.agent.volumes.payloads;

import dev.berth.agent.volumes.VolumeException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;

/// Values of downward API volumes.
public interface DownwardValues {
  /// A field of the pod.
  ///
  /// @throws VolumeException for a field that volumes do not support
  String field(Pod pod, String path);

  /// A resource request or limit of a container.
  ///
  /// @throws VolumeException for a resource that volumes do not support
  String resource(Pod pod, ResourceFieldSelector selector);
}
