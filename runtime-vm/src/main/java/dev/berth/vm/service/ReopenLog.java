package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import dev.berth.cri.v1.ReopenContainerLogResponse;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.output.ContainerOutput;
import java.io.IOException;

/// `ReopenContainerLog`: the kubelet has renamed the log, and the container writes into a new one.
final class ReopenLog {
  private final FoundPods found;

  ReopenLog(FoundPods found) {
    this.found = found;
  }

  ReopenContainerLogResponse call(ReopenContainerLogRequest request) {
    LiveContainer container = found.container(request.getContainerId());
    ContainerOutput output =
        container
            .output()
            .filter(_ -> container.record().isRunning())
            .orElseThrow(() -> CallRefusal.unknown("container is not running"));
    try {
      output.reopen();
    } catch (IOException e) {
      throw CallRefusal.unknown("failed to create container logger: " + e.getMessage());
    }
    return ReopenContainerLogResponse.getDefaultInstance();
  }
}
