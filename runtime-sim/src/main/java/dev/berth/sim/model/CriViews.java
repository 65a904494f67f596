package dev.berth.sim.model;

import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.ContainerEventType;
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
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.profile.SimProfile;
import java.util.List;

/// Converts sandboxes and containers to CRI messages. Callers hold the machine's lock.
///
/// The profile decides which fields are set: a client of an old runtime must not find the new ones.
public final class CriViews {
  private final SimMachine machine;
  private final SimProfile profile;

  private CriViews(SimMachine machine) {
    this.machine = machine;
    this.profile = machine.knobs.profile();
  }

  static CriViews of(SimMachine machine) {
    return new CriViews(machine);
  }

  PodSandboxStatus status(SimSandbox sandbox) {
    PodSandboxStatus.Builder status =
        PodSandboxStatus.newBuilder()
            .setId(sandbox.id)
            .setMetadata(sandbox.config.getMetadata())
            .setState(state(sandbox))
            .setCreatedAt(sandbox.createdAt)
            .setNetwork(network(sandbox.addresses))
            .putAllLabels(sandbox.config.getLabelsMap())
            .putAllAnnotations(sandbox.config.getAnnotationsMap())
            .setRuntimeHandler(sandbox.handler);
    if (!profile.platform().isWindows()) {
      status.setLinux(
          LinuxPodSandboxStatus.newBuilder()
              .setNamespaces(
                  Namespace.newBuilder()
                      .setOptions(
                          sandbox.config.getLinux().getSecurityContext().getNamespaceOptions())));
    }
    return status.build();
  }

  /// The short form for lists. Agents find their pods by its labels alone.
  PodSandbox item(SimSandbox sandbox) {
    return PodSandbox.newBuilder()
        .setId(sandbox.id)
        .setMetadata(sandbox.config.getMetadata())
        .setState(state(sandbox))
        .setCreatedAt(sandbox.createdAt)
        .putAllLabels(sandbox.config.getLabelsMap())
        .putAllAnnotations(sandbox.config.getAnnotationsMap())
        .setRuntimeHandler(sandbox.handler)
        .build();
  }

  ContainerStatus status(SimContainer container) {
    ContainerStatus.Builder status =
        ContainerStatus.newBuilder()
            .setId(container.id)
            .setMetadata(container.config.getMetadata())
            .setState(container.state)
            .setCreatedAt(container.createdAt)
            .setStartedAt(container.startedAt)
            .setFinishedAt(container.finishedAt)
            .setExitCode(container.exitCode)
            .setImage(imageSpec(container))
            .setImageRef(imageRef(container.image))
            .setReason(container.reason)
            .setMessage(container.message)
            .putAllLabels(container.config.getLabelsMap())
            .putAllAnnotations(container.config.getAnnotationsMap())
            .addAllMounts(container.config.getMountsList())
            .setLogPath(container.logPath())
            .setResources(container.resources);
    // containerd 1.6 does not have these fields.
    if (profile.compatibility().hasNewFields()) {
      status.setImageId(container.image.id()).setStopSignal(container.config.getStopSignal());
      if (!profile.platform().isWindows()) {
        status.setUser(user(container));
      }
    }
    return status.build();
  }

  dev.berth.cri.v1.Container item(SimContainer container) {
    dev.berth.cri.v1.Container.Builder item =
        dev.berth.cri.v1.Container.newBuilder()
            .setId(container.id)
            .setPodSandboxId(container.sandbox.id)
            .setMetadata(container.config.getMetadata())
            .setImage(imageSpec(container))
            .setImageRef(imageRef(container.image))
            .setState(container.state)
            .setCreatedAt(container.createdAt)
            .putAllLabels(container.config.getLabelsMap())
            .putAllAnnotations(container.config.getAnnotationsMap());
    if (profile.compatibility().hasNewFields()) {
      item.setImageId(container.image.id());
    }
    return item.build();
  }

  List<ContainerStatus> statuses(SimSandbox sandbox) {
    return sandbox.containers.stream().map(this::status).toList();
  }

  /// An event with the state of the whole pod after it, so that a client needs no further call
  /// (KEP-3386).
  ContainerEventResponse event(String id, ContainerEventType type, SimSandbox sandbox) {
    return ContainerEventResponse.newBuilder()
        .setContainerId(id)
        .setContainerEventType(type)
        .setCreatedAt(machine.timeline.nanos())
        .setPodSandboxStatus(status(sandbox))
        .addAllContainersStatuses(statuses(sandbox))
        .build();
  }

  static PodSandboxState state(SimSandbox sandbox) {
    return sandbox.ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY;
  }

  /// The image reference of a status: the digest if the image has one, else its id.
  static String imageRef(PulledImage image) {
    return image.digest().isEmpty() ? image.id() : image.repositoryDigest();
  }

  /// The image as the request named it, but with the name that the runtime has it under, as
  /// containerd reports it.
  private static ImageSpec imageSpec(SimContainer container) {
    PulledImage image = container.image;
    String name = image.tags().isEmpty() ? image.id() : image.tags().getFirst();
    return container.config.getImage().toBuilder().setImage(name).build();
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

  /// The user of the process: that of the request, else the image's, else root (KEP-3619).
  private static ContainerUser user(SimContainer container) {
    var context = container.config.getLinux().getSecurityContext();
    long uid =
        context.hasRunAsUser()
            ? context.getRunAsUser().getValue()
            : container.image.user().orElse(0L);
    return ContainerUser.newBuilder()
        .setLinux(
            LinuxContainerUser.newBuilder()
                .setUid(uid)
                .setGid(context.getRunAsGroup().getValue())
                .addAllSupplementalGroups(context.getSupplementalGroupsList()))
        .build();
  }
}
