package dev.berth.agent.runtimes;

import dev.berth.cri.v1.PodSandbox;
import java.util.List;

/// Tells the sandboxes of this node's agent from those that others made on the same runtime
/// service: a kubelet, or the agent of another node.
public final class OwnSandboxes {
  /// The label with the name of the node whose agent made a sandbox.
  public static final String NODE = "berth.dev/node";

  private OwnSandboxes() {}

  /// @param node empty where every sandbox counts
  static List<PodSandbox> of(String node, List<PodSandbox> sandboxes) {
    return node.isEmpty()
        ? sandboxes
        : sandboxes.stream()
            .filter(sandbox -> node.equals(sandbox.getLabelsMap().get(NODE)))
            .toList();
  }
}
