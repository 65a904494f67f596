package dev.berth.vm.pods;

import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.ContainerUser;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.LinuxContainerUser;
import dev.berth.cri.v1.LinuxPodSandboxStatus;
import dev.berth.cri.v1.Namespace;
import dev.berth.cri.v1.PodIP;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxNetworkStatus;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.vm.pods.state.ContainerEnd;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.state.SandboxRecord;
import java.util.List;

/// Sandboxes and containers as messages of CRI.
public final class PodViews {
  private PodViews() {}

  public static PodSandboxStatus status(SandboxRecord sandbox) {
    return PodSandboxStatus.newBuilder()
        .setId(sandbox.id())
        .setMetadata(sandbox.config().getMetadata())
        .setState(state(sandbox))
        .setCreatedAt(sandbox.createdAt())
        .setNetwork(network(sandbox.addresses()))
        .putAllLabels(sandbox.config().getLabelsMap())
        .putAllAnnotations(sandbox.config().getAnnotationsMap())
        .setRuntimeHandler(sandbox.handler())
        .setLinux(
            LinuxPodSandboxStatus.newBuilder()
                .setNamespaces(
                    Namespace.newBuilder()
                        .setOptions(
                            sandbox
                                .config()
                                .getLinux()
                                .getSecurityContext()
                                .getNamespaceOptions())))
        .build();
  }

  /// The short form for lists.
  public static PodSandbox item(SandboxRecord sandbox) {
    return PodSandbox.newBuilder()
        .setId(sandbox.id())
        .setMetadata(sandbox.config().getMetadata())
        .setState(state(sandbox))
        .setCreatedAt(sandbox.createdAt())
        .putAllLabels(sandbox.config().getLabelsMap())
        .putAllAnnotations(sandbox.config().getAnnotationsMap())
        .setRuntimeHandler(sandbox.handler())
        .build();
  }

  public static PodSandboxState state(SandboxRecord sandbox) {
    return sandbox.isReady() ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY;
  }

  private static PodSandboxNetworkStatus network(List<String> addresses) {
    PodSandboxNetworkStatus.Builder network = PodSandboxNetworkStatus.newBuilder();
    if (!addresses.isEmpty()) {
      network.setIp(addresses.getFirst());
      addresses.stream()
          .skip(1)
          .forEach(address -> network.addAdditionalIps(PodIP.newBuilder().setIp(address)));
    }
    return network.build();
  }

  public static ContainerStatus status(ContainerRecord container) {
    ContainerEnd end = container.end();
    return ContainerStatus.newBuilder()
        .setId(container.id())
        .setMetadata(container.config().getMetadata())
        .setState(state(container))
        .setCreatedAt(container.createdAt())
        .setStartedAt(container.startedAt())
        .setFinishedAt(end.finishedAt())
        .setExitCode(end.exitCode())
        .setReason(end.reason())
        .setMessage(end.message())
        .setImage(image(container))
        .setImageRef(container.image().reference())
        .setImageId(container.image().id())
        .putAllLabels(container.config().getLabelsMap())
        .putAllAnnotations(container.config().getAnnotationsMap())
        .addAllMounts(container.config().getMountsList())
        .setLogPath(container.logFile())
        .setResources(container.resources())
        .setUser(user(container))
        .setStopSignal(container.config().getStopSignal())
        .build();
  }

  public static Container item(ContainerRecord container) {
    return Container.newBuilder()
        .setId(container.id())
        .setPodSandboxId(container.sandboxId())
        .setMetadata(container.config().getMetadata())
        .setImage(image(container))
        .setImageRef(container.image().reference())
        .setImageId(container.image().id())
        .setState(state(container))
        .setCreatedAt(container.createdAt())
        .putAllLabels(container.config().getLabelsMap())
        .putAllAnnotations(container.config().getAnnotationsMap())
        .build();
  }

  public static ContainerState state(ContainerRecord container) {
    return switch (container.phase()) {
      case CREATING, CREATED -> ContainerState.CONTAINER_CREATED;
      case RUNNING -> ContainerState.CONTAINER_RUNNING;
      case EXITED -> ContainerState.CONTAINER_EXITED;
    };
  }

  private static ImageSpec image(ContainerRecord container) {
    return container.config().getImage().toBuilder().setImage(container.image().name()).build();
  }

  /// The user of the request (KEP-3619). Names of the image are resolved in the guest and not
  /// reported back.
  private static ContainerUser user(ContainerRecord container) {
    var security = container.config().getLinux().getSecurityContext();
    if (!security.hasRunAsUser()) {
      return ContainerUser.getDefaultInstance();
    }
    return ContainerUser.newBuilder()
        .setLinux(
            LinuxContainerUser.newBuilder()
                .setUid(security.getRunAsUser().getValue())
                .setGid(security.getRunAsGroup().getValue())
                .addAllSupplementalGroups(security.getSupplementalGroupsList()))
        .build();
  }

  public static List<ContainerStatus> statuses(LivePod pod) {
    return pod.containers().stream().map(LiveContainer::record).map(PodViews::status).toList();
  }

  /// An event with the state of the whole pod after it (KEP-3386).
  static ContainerEventResponse event(String id, ContainerEventType type, LivePod pod, long now) {
    return ContainerEventResponse.newBuilder()
        .setContainerId(id)
        .setContainerEventType(type)
        .setCreatedAt(now)
        .setPodSandboxStatus(status(pod.record()))
        .addAllContainersStatuses(statuses(pod))
        .build();
  }
}
