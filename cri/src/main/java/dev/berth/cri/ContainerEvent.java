package dev.berth.cri;

import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event of a container.
///
/// An event is a hint, not a state: events may be late, doubled or lost with the connection, so the
/// agent also lists.
///
/// @param pod the pod of the container
/// @param sandbox the status of the pod's sandbox; null from runtimes of Kubernetes 1.25, which
///   send only the pod's metadata
/// @param containers the statuses of the pod's containers, if the runtime sends them
public record ContainerEvent(
    String containerId,
    ContainerEventType type,
    Instant createdAt,
    PodSandboxMetadata pod,
    @Nullable PodSandboxStatus sandbox,
    List<ContainerStatus> containers) {
  public ContainerEvent {
    containers = List.copyOf(containers);
  }
}
