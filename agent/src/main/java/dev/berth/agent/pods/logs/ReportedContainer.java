package dev.berth.agent.pods.logs;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a pod's status says about a container to those who want its log, read as the kubelet reads
/// it.
///
/// @param status null when it says nothing
record ReportedContainer(@Nullable ContainerStatus status) {
  private static final String NEW = "ContainerCreating";

  static ReportedContainer of(Pod pod, String container) {
    PodStatus told = pod.getStatus();
    return new ReportedContainer(
        Stream.of(
                told.getContainerStatuses(),
                told.getInitContainerStatuses(),
                told.getEphemeralContainerStatuses())
            .flatMap(list -> list.stream())
            .filter(one -> one.getName().equals(container))
            .findFirst()
            .orElse(null));
  }

  /// The instance that `--previous` means, empty when there is none: while a container waits for
  /// its next start that is the newest.
  String previousId() {
    ContainerStateTerminated last = last();
    String id = last == null ? null : last.getContainerID();
    return id == null ? "" : id.substring(id.indexOf("://") < 0 ? 0 : id.indexOf("://") + 3);
  }

  boolean waitsForItsNextStart() {
    return last() != null && waiting() != null;
  }

  private @Nullable ContainerStateTerminated last() {
    return status == null || status.getLastState() == null
        ? null
        : status.getLastState().getTerminated();
  }

  /// For what it waits that was never started.
  String waitsFor() {
    ContainerStateWaiting waiting = waiting();
    String reason = waiting == null ? null : waiting.getReason();
    return switch (reason == null ? "" : reason) {
      case "" -> NEW;
      case "ErrImagePull" -> "image can't be pulled";
      case "ImagePullBackOff" -> "trying and failing to pull image";
      default -> String.valueOf(reason);
    };
  }

  private @Nullable ContainerStateWaiting waiting() {
    return status == null || status.getState() == null ? null : status.getState().getWaiting();
  }
}
