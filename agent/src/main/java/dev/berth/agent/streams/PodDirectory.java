package dev.berth.agent.streams;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/// The pods of this node, as those see them who want to look into one.
///
/// Answers come from memory: nobody is asked, nothing is waited for, any thread may call.
public interface PodDirectory {
  /// A node that has no pods.
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

  /// Every pod of this node with its newest status, static ones included.
  List<Pod> pods();

  /// Where a container's newest instance is, also when it has ended.
  ///
  /// @param container empty for the pod's sandbox alone, as port-forward wants it
  ContainerLocation find(StreamPod pod, String container);
}
