package dev.berth.agent.pods.config;

import java.nio.file.Path;
import java.util.List;

/// What pods are told and given of the node they run on.
///
/// @param addresses of the node, the main one first
/// @param logs the folder of all pods' logs, such as `/var/log/pods`
/// @param pods the folder of what the agent keeps for each pod
public record NodeSettings(
    String name,
    List<String> addresses,
    Path logs,
    Path pods,
    DnsSettings dns,
    CgroupSettings cgroups,
    NodeCapacity capacity) {
  public NodeSettings {
    addresses = List.copyOf(addresses);
  }

  public static NodeSettings of(String name, List<String> addresses, Path folder) {
    return new NodeSettings(
        name,
        addresses,
        folder.resolve("logs"),
        folder.resolve("pods"),
        DnsSettings.OF_THE_HOST,
        CgroupSettings.BY_THE_RUNTIME,
        NodeCapacity.UNKNOWN);
  }

  public NodeSettings with(NodeCapacity other) {
    return new NodeSettings(name, addresses, logs, pods, dns, cgroups, other);
  }

  public NodeSettings with(DnsSettings other) {
    return new NodeSettings(name, addresses, logs, pods, other, cgroups, capacity);
  }

  public NodeSettings with(CgroupSettings other) {
    return new NodeSettings(name, addresses, logs, pods, dns, other, capacity);
  }

  /// What the agent keeps for one pod.
  public Path podFolder(String podUid) {
    return pods.resolve(podUid);
  }
}
