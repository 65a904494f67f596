package dev.berth.scheduler.explain;

import dev.berth.api.Quantity;
import dev.berth.scheduler.cluster.NodeState;
import dev.berth.scheduler.model.ResourceVector;

/// The unrequested resources of one or several nodes.
///
/// @param cpu in millicores
/// @param memory in bytes
/// @param pods how many more
public record FreeResources(long cpu, long memory, long pods) {
  static final FreeResources NONE = new FreeResources(0, 0, 0);

  static FreeResources of(NodeState node) {
    ResourceVector free = node.info().traits().allocatable().minus(node.use().requests());
    return new FreeResources(
        Math.max(0, free.cpu()),
        Math.max(0, free.memory()),
        Math.max(0, node.info().traits().maxPods() - node.use().pods()));
  }

  FreeResources plus(FreeResources other) {
    return new FreeResources(cpu + other.cpu, memory + other.memory, pods + other.pods);
  }

  /// CPU as the API writes it.
  public String cpuText() {
    return Quantity.ofMilli(cpu).toString();
  }

  /// Memory in whole MiB, as text.
  public String memoryText() {
    return (memory >> 20) + "Mi";
  }
}
