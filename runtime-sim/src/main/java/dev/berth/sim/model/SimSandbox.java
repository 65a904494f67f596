package dev.berth.sim.model;

import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import java.util.ArrayList;
import java.util.List;

/// A pod's sandbox. Guarded by the lock of its `SimMachine`, where it can change.
public final class SimSandbox {
  final String id;
  final PodSandboxConfig config;

  /// As `RunPodSandbox` named it; empty is the default.
  final String handler;

  final long createdAt;
  final List<SimContainer> containers = new ArrayList<>(1);

  /// Written with the lock held, read by anybody.
  volatile boolean ready = true;

  List<String> addresses;
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

  /// Unique on a node, as containerd reserves it.
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
