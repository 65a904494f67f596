package dev.berth.vm.service;

import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RemovePodSandboxResponse;
import dev.berth.vm.pods.LivePod;

/// `RemovePodSandbox`: stops a sandbox, and forgets it with its containers. It succeeds for an
/// unknown one.
final class RemoveSandbox {
  private final FoundPods found;
  private final StopSandbox stop;

  RemoveSandbox(FoundPods found, StopSandbox stop) {
    this.found = found;
    this.stop = stop;
  }

  RemovePodSandboxResponse call(RemovePodSandboxRequest request) {
    found.lookUpPod(request.getPodSandboxId()).ifPresent(this::remove);
    return RemovePodSandboxResponse.getDefaultInstance();
  }

  /// The record goes last: until then the next process finds what is left.
  private void remove(LivePod pod) {
    pod.calls().lock();
    try {
      stop.stop(pod);
      pod.containers().forEach(found.inventory()::remove);
      found.inventory().remove(pod);
    } finally {
      pod.calls().unlock();
    }
  }
}
