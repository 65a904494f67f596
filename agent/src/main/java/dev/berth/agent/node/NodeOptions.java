package dev.berth.agent.node;

import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.api.Quantity;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The administrator's settings of a node.
///
/// @param addresses by which others reach it, the main one first
/// @param labels in addition to those that the agent computes
/// @param taints set at registration; later the cluster owns them
/// @param reserved resources that pods do not get, by name
/// @param pressure when the node is short of a resource
public record NodeOptions(
    String name,
    List<InetAddress> addresses,
    Map<String, String> labels,
    List<Taint> taints,
    int maxPods,
    Map<String, Quantity> reserved,
    ReadinessPolicy readiness,
    PressureRules pressure) {
  /// A taint: repels pods that do not tolerate it.
  public record Taint(String key, String value, String effect) {}

  /// The kubelet's default.
  public static final int MAX_PODS = 110;

  public NodeOptions {
    addresses = List.copyOf(addresses);
    labels = new TreeMap<>(labels);
    taints = List.copyOf(taints);
    reserved = Map.copyOf(reserved);
  }

  /// The allocatable part of a machine.
  public dev.berth.agent.pods.config.ContainerCapacity forPods(Size size) {
    NodeCapacity capacity = new NodeCapacity(size, this);
    return new dev.berth.agent.pods.config.ContainerCapacity(
        capacity.milliForPods(), capacity.memoryForPods(), capacity.storageForPods(), maxPods);
  }

  /// A node with default settings.
  public static NodeOptions of(String name, InetAddress address) {
    return new NodeOptions(
        name,
        List.of(address),
        Map.of(),
        List.of(),
        MAX_PODS,
        Map.of(),
        ReadinessPolicy.PARTIAL,
        PressureRules.STANDARD);
  }
}
