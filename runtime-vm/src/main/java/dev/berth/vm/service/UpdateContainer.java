package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.ContainerLimits;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UpdateContainerResourcesResponse;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.rules.ContainerLimitsRule;

/// `UpdateContainerResources`: changes the limits of a container in its guest (KEP-1287). An update
/// changes only the fields that it names.
final class UpdateContainer {
  private final FoundPods found;

  UpdateContainer(FoundPods found) {
    this.found = found;
  }

  UpdateContainerResourcesResponse call(UpdateContainerResourcesRequest request) {
    LiveContainer container = found.container(request.getContainerId(), "failed to find container");
    container.pod().calls().lock();
    try {
      update(container, request.getLinux());
    } finally {
      container.pod().calls().unlock();
    }
    return UpdateContainerResourcesResponse.getDefaultInstance();
  }

  private void update(LiveContainer container, LinuxContainerResources change) {
    if (container.record().hasEnded()) {
      throw CallRefusal.unknown("container is in CONTAINER_EXITED state");
    }
    refuseMoreThanTheGuestHas(container, change);
    LinuxContainerResources limits =
        ContainerLimits.merged(container.record().resources().getLinux(), change);
    container
        .pod()
        .guest()
        .orElseThrow(() -> CallRefusal.unknown("container is not running"))
        .agent()
        .limits(container.id(), ContainerLimitsRule.of(limits));
    found
        .inventory()
        .change(
            container,
            record -> record.with(ContainerResources.newBuilder().setLinux(limits).build()));
  }

  /// Machines have no memory to plug in while they run.
  private static void refuseMoreThanTheGuestHas(
      LiveContainer container, LinuxContainerResources change) {
    int mebibytes = container.pod().record().size().memoryMebibytes();
    if (change.getMemoryLimitInBytes() > (long) mebibytes << 20) {
      throw CallRefusal.precondition(
          new Problem(
                  "container %s was not resized".formatted(container.id()),
                  "its virtual machine has %d MiB of memory, and the new limit is %d bytes"
                      .formatted(mebibytes, change.getMemoryLimitInBytes()),
                  "Create the pod again with the larger limit")
              .toString());
    }
  }
}
