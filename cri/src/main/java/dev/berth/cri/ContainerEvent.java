package dev.berth.cri;

import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something happened to a container.
///
/// @param pod the pod it belongs to
/// @param sandbox the pod's sandbox; null from runtimes of Kubernetes 1.25, which tell only whose
///   it is
/// @param containers the pod's containers, as far as the runtime tells
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
