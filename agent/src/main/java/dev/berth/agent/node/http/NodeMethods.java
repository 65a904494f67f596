package dev.berth.agent.node.http;

import java.util.List;

/// The HTTP methods of the node's paths, as in the kubelet.
///
/// They are a security boundary: a caller with only `get nodes/proxy` must not be able to run
/// commands. That GET upgrades for exec are allowed is the kubelet's behavior, and clients rely on
/// it.
final class NodeMethods {
  private NodeMethods() {}

  /// @param first the first segment of the path
  static List<String> of(String first) {
    return switch (first) {
      case "run" -> List.of("POST");
      case "exec", "attach", "portForward" -> List.of("GET", "POST");
      case "containerLogs" -> List.of("GET");
      default -> List.of("GET", "HEAD");
    };
  }
}
