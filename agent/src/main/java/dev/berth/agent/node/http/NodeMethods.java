package dev.berth.agent.node.http;

import java.util.List;

/// The methods that the node's paths have, the kubelet's.
///
/// They matter beyond form: who may only `get nodes/proxy` must not find a way to run something.
/// That exec is such a way for upgrades with GET is the kubelet's doing, and clients rely on it.
final class NodeMethods {
  private NodeMethods() {}

  /// @param first the first part of the path
  static List<String> of(String first) {
    return switch (first) {
      case "run" -> List.of("POST");
      case "exec", "attach", "portForward" -> List.of("GET", "POST");
      case "containerLogs" -> List.of("GET");
      default -> List.of("GET", "HEAD");
    };
  }
}
