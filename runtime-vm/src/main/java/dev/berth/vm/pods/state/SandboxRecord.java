package dev.berth.vm.pods.state;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.vm.machine.MachineSize;
import java.util.List;

/// A sandbox, as it is on disk.
///
/// @param handler as the request named it; empty is the default
/// @param sharesMemory whether its machine is a clone of a template
/// @param createdAt nanoseconds since the epoch
/// @param addresses of the pod; empty once it is stopped
/// @param failure why it ended by itself; empty otherwise
public record SandboxRecord(
    String id,
    PodSandboxConfig config,
    String handler,
    boolean sharesMemory,
    MachineSize size,
    SandboxPhase phase,
    long createdAt,
    List<String> addresses,
    String failure) {
  public SandboxRecord {
    addresses = List.copyOf(addresses);
  }

  /// The name that runtimes reserve for the attempt of a pod, in containerd's form.
  public String name() {
    var metadata = config.getMetadata();
    return String.join(
        "_",
        metadata.getName(),
        metadata.getNamespace(),
        metadata.getUid(),
        Integer.toUnsignedString(metadata.getAttempt()));
  }

  public boolean isReady() {
    return phase == SandboxPhase.READY;
  }

  public SandboxRecord ready(List<String> addressesOfPod) {
    return new SandboxRecord(
        id,
        config,
        handler,
        sharesMemory,
        size,
        SandboxPhase.READY,
        createdAt,
        addressesOfPod,
        failure);
  }

  public SandboxRecord stopped(String why) {
    return new SandboxRecord(
        id,
        config,
        handler,
        sharesMemory,
        size,
        SandboxPhase.STOPPED,
        createdAt,
        List.of(),
        failure.isEmpty() ? why : failure);
  }

  /// With new limits and overhead, as `UpdatePodSandboxResources` reports them.
  public SandboxRecord with(PodSandboxConfig changed) {
    return new SandboxRecord(
        id, changed, handler, sharesMemory, size, phase, createdAt, addresses, failure);
  }
}
