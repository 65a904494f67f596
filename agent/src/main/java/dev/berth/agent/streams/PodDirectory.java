package dev.berth.agent.streams;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/// The pods of this node for log and stream requests.
///
/// Answers come from memory without waiting; any thread may call.
public interface PodDirectory {
  /// A node without pods.
  PodDirectory EMPTY =
      new PodDirectory() {
        @Override
        public List<Pod> pods() {
          return List.of();
        }

        @Override
        public ContainerLocation find(StreamPod pod, String container) {
          return new ContainerLocation.NotFound("pod \"%s\" not found".formatted(pod));
        }
      };

  /// Every pod of this node with its newest status, including static pods.
  List<Pod> pods();

  /// Finds a container's newest instance, running or ended.
  ///
  /// @param container empty for the pod's sandbox, as port-forward needs it
  ContainerLocation find(StreamPod pod, String container);
}
