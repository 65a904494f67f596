package dev.berth.agent.pods.config;

import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;

/// The settings of the node that pods depend on.
///
/// @param addresses of the node, the main one first
/// @param logs the directory of all pods' logs, such as `/var/log/pods`
/// @param pods the directory with the agent's files of each pod
/// @param allocatable the part of the capacity that pods may use
/// @param apiServer the URL by which pods find the API server if no Service has it, such as
///   `https://10.0.0.1:6443`; empty when unknown
/// @param cluster a mark that no other cluster has; empty when unknown
public record NodeSettings(
    String name,
    List<String> addresses,
    Path logs,
    Path pods,
    DnsSettings dns,
    CgroupSettings cgroups,
    ContainerCapacity capacity,
    ContainerCapacity allocatable,
    String apiServer,
    String cluster) {
  public NodeSettings {
    addresses = List.copyOf(addresses);
  }

  public static NodeSettings of(String name, List<String> addresses, Path directory) {
    return new NodeSettings(
        name,
        addresses,
        directory.resolve("logs"),
        directory.resolve("pods"),
        DnsSettings.OF_THE_HOST,
        CgroupSettings.BY_THE_RUNTIME,
        ContainerCapacity.UNKNOWN,
        ContainerCapacity.UNKNOWN,
        "",
        "");
  }

  public NodeSettings with(ContainerCapacity other) {
    return with(other, other);
  }

  /// The same with a capacity of which a part is reserved.
  ///
  /// @param forPods the allocatable part
  public NodeSettings with(ContainerCapacity all, ContainerCapacity forPods) {
    return new NodeSettings(
        name, addresses, logs, pods, dns, cgroups, all, forPods, apiServer, cluster);
  }

  public NodeSettings withLogs(Path other) {
    return new NodeSettings(
        name, addresses, other, pods, dns, cgroups, capacity, allocatable, apiServer, cluster);
  }

  public NodeSettings with(DnsSettings other) {
    return new NodeSettings(
        name, addresses, logs, pods, other, cgroups, capacity, allocatable, apiServer, cluster);
  }

  public NodeSettings with(CgroupSettings other) {
    return new NodeSettings(
        name, addresses, logs, pods, dns, other, capacity, allocatable, apiServer, cluster);
  }

  public NodeSettings withApiServer(String other) {
    return new NodeSettings(
        name, addresses, logs, pods, dns, cgroups, capacity, allocatable, other, cluster);
  }

  public NodeSettings ofCluster(String mark) {
    return new NodeSettings(
        name, addresses, logs, pods, dns, cgroups, capacity, allocatable, apiServer, mark);
  }

  /// Recognizes the sandboxes of this node's agent.
  public OwnSandboxes own() {
    return new OwnSandboxes(name, cluster, pods);
  }

  /// The most memory, in bytes, that a pod may use; zero when neither the pod nor the node has a
  /// known limit.
  public long memoryOf(Pod pod) {
    PodView view = PodView.of(pod);
    long containers = PodResources.commonLimit(view, "memory").value();
    long limit = containers > 0 ? containers + view.overhead().orZero("memory").value() : 0;
    boolean isLess =
        limit > 0 && (allocatable.memoryBytes() == 0 || limit < allocatable.memoryBytes());
    return isLess ? limit : allocatable.memoryBytes();
  }

  /// The directory of the agent's files for one pod.
  public Path podDirectory(String podUid) {
    return pods.resolve(podUid);
  }
}
