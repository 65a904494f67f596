package dev.berth.vm.service;

import dev.berth.cri.v1.RemoveContainerRequest;
import dev.berth.cri.v1.RemoveContainerResponse;
import dev.berth.vm.pods.ContainerRelease;
import dev.berth.vm.pods.LiveContainer;

/// `RemoveContainer`: kills a container if it runs, and forgets it. It succeeds for an unknown one.
final class RemoveContainer {
  private final FoundPods found;
  private final ContainerRelease release;

  RemoveContainer(FoundPods found, ContainerRelease release) {
    this.found = found;
    this.release = release;
  }

  RemoveContainerResponse call(RemoveContainerRequest request) {
    found.lookUpContainer(request.getContainerId()).ifPresent(this::remove);
    return RemoveContainerResponse.getDefaultInstance();
  }

  private void remove(LiveContainer container) {
    container.pod().calls().lock();
    try {
      release.remove(container);
    } finally {
      container.pod().calls().unlock();
    }
  }
}
