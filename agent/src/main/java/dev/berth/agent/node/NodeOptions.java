package dev.berth.agent.node;

import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.api.Quantity;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What an administrator decides about a node.
///
/// @param addresses by which others reach it; the first is the main one
/// @param labels given to it beside those that it finds itself
/// @param taints with which it is registered; later they belong to the cluster
/// @param reserved what pods do not get, by resource name
/// @param pressure when it is short of something
public record NodeOptions(
    String name,
    List<InetAddress> addresses,
    Map<String, String> labels,
    List<Taint> taints,
    int maxPods,
    Map<String, Quantity> reserved,
    ReadinessPolicy readiness,
    PressureRules pressure) {
  /// Keeps pods away that do not tolerate it.
  public record Taint(String key, String value, String effect) {}

  public static final int MAX_PODS = 110;

  public NodeOptions {
    addresses = List.copyOf(addresses);
    labels = new TreeMap<>(labels);
    taints = List.copyOf(taints);
    reserved = Map.copyOf(reserved);
  }

  /// What pods may have of a machine.
  public dev.berth.agent.pods.config.ContainerCapacity forPods(Size size) {
    NodeCapacity capacity = new NodeCapacity(size, this);
    return new dev.berth.agent.pods.config.ContainerCapacity(
        capacity.milliForPods(), capacity.memoryForPods(), capacity.storageForPods(), maxPods);
  }

  /// A node about which nobody decided anything.
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
