package dev.berth.agent.pods.logs;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A container in its pod's status, read as the kubelet reads it for logs.
///
/// @param status null when the status lacks the container
record ReportedContainer(@Nullable ContainerStatus status) {
  private static final String NEW = "ContainerCreating";

  static ReportedContainer of(Pod pod, String container) {
    PodStatus status = pod.getStatus();
    return new ReportedContainer(
        Stream.of(
                status.getContainerStatuses(),
                status.getInitContainerStatuses(),
                status.getEphemeralContainerStatuses())
            .flatMap(list -> list.stream())
            .filter(one -> one.getName().equals(container))
            .findFirst()
            .orElse(null));
  }

  /// The instance that `--previous` means; empty for none. While a container waits for its restart,
  /// this is the newest instance.
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

  /// The reason for which a container that never started waits.
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
