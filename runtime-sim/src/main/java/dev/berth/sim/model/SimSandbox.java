package dev.berth.sim.model;

import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import java.util.ArrayList;
import java.util.List;

/// The sandbox of a pod. The lock of its `SimMachine` guards all fields that can change.
///
/// A sandbox exists from `RunPodSandbox` to `RemovePodSandbox`. In between it is ready until it is
/// stopped, and never again afterwards: the kubelet makes a new sandbox with a higher attempt.
public final class SimSandbox {
  final String id;
  final PodSandboxConfig config;

  /// The handler that `RunPodSandbox` named; empty means the default.
  final String handler;

  final long createdAt;
  final List<SimContainer> containers = new ArrayList<>(1);

  /// Whether the sandbox runs. The field is written under the lock and read without it by streams.
  volatile boolean ready = true;

  /// One address per range; empty on the node's network, and after the sandbox stops.
  List<String> addresses;

  /// What the runtime needs beside the containers (KEP-688), and the sum of the containers. Both
  /// are only reported, in the verbose status.
  LinuxContainerResources overhead;

  LinuxContainerResources resources;

  SimSandbox(
      String id, PodSandboxConfig config, String handler, long createdAt, List<String> addresses) {
    this.id = id;
    this.config = config;
    this.handler = handler;
    this.createdAt = createdAt;
    this.addresses = List.copyOf(addresses);
    this.overhead = config.getLinux().getOverhead();
    this.resources = config.getLinux().getResources();
  }

  /// The name that containerd reserves, unique on a node.
  static String name(PodSandboxConfig config) {
    PodSandboxMetadata metadata = config.getMetadata();
    return String.join(
        "_",
        metadata.getName(),
        metadata.getNamespace(),
        metadata.getUid(),
        Integer.toUnsignedString(metadata.getAttempt()));
  }

  public String id() {
    return id;
  }

  public PodSandboxConfig config() {
    return config;
  }

  public String handler() {
    return handler;
  }

  public List<String> addresses() {
    return addresses;
  }

  public boolean ready() {
    return ready;
  }
}
