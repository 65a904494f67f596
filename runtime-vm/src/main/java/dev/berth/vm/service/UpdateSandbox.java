package dev.berth.vm.service;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.UpdatePodSandboxResourcesResponse;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.rules.GuestSizes;
import dev.berth.vm.pods.state.SandboxRecord;

/// `UpdatePodSandboxResources`: announces a resize of the pod as a whole, before its containers are
/// resized. A guest with memory of its own gives back what it does not need any more; no guest
/// grows beyond the size that it started with.
final class UpdateSandbox {
  private final FoundPods found;
  private final GuestSizes sizes;

  UpdateSandbox(FoundPods found, GuestSizes sizes) {
    this.found = found;
    this.sizes = sizes;
  }

  UpdatePodSandboxResourcesResponse call(UpdatePodSandboxResourcesRequest request) {
    String id = request.getPodSandboxId();
    LivePod pod = found.pod(id, "an error occurred when try to find sandbox \"%s\"".formatted(id));
    pod.calls().lock();
    try {
      found.inventory().change(pod, record -> record.with(merged(record, request)));
      pod.guest().map(PodGuest::machine).ifPresent(machine -> shrink(pod.record(), machine));
    } finally {
      pod.calls().unlock();
    }
    return UpdatePodSandboxResourcesResponse.getDefaultInstance();
  }

  private static PodSandboxConfig merged(
      SandboxRecord record, UpdatePodSandboxResourcesRequest request) {
    PodSandboxConfig.Builder config = record.config().toBuilder();
    config.getLinuxBuilder().getOverheadBuilder().mergeFrom(request.getOverhead());
    config.getLinuxBuilder().getResourcesBuilder().mergeFrom(request.getResources());
    return config.build();
  }

  private void shrink(SandboxRecord record, VirtualMachine machine) {
    if (!machine.sharesMemory() && machine.exit().isEmpty()) {
      MachineSize wanted = sizes.of(record.config().getLinux());
      int mebibytes = Math.min(wanted.memoryMebibytes(), machine.size().memoryMebibytes());
      machine.balloon((long) mebibytes << 20);
    }
  }
}
