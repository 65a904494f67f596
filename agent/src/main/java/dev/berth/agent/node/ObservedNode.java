package dev.berth.agent.node;

import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.overhead.SandboxOverhead;
import dev.berth.agent.node.usage.NodeImage;
import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import java.util.List;
import java.util.Set;

/// The input of a Node object at one moment.
///
/// @param overheads measured costs of sandboxes by handler
/// @param port of the node's HTTPS server; 0 when it has none
record ObservedNode(
    MachineInfo machine,
    RuntimeSnapshot runtimes,
    Set<PressureCondition> pressures,
    List<NodeImage> images,
    List<SandboxOverhead> overheads,
    int port) {
  ObservedNode {
    images = List.copyOf(images);
    overheads = List.copyOf(overheads);
    pressures = Set.copyOf(pressures);
  }
}
