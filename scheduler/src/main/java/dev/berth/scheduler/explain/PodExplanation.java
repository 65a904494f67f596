package dev.berth.scheduler.explain;

import java.util.List;

/// What stands for and against each node for one pod.
///
/// @param node where the pod is, empty for nowhere
/// @param message of the whole: where it is, where it could go, or the text of FailedScheduling
public record PodExplanation(
    String namespace,
    String name,
    String runtimeClass,
    String handler,
    String node,
    String message,
    List<NodeAnswer> nodes) {
  /// What one node says.
  ///
  /// @param reasons why it does not do, empty when it does
  /// @param free CPU and memory that no pod has requested
  public record NodeAnswer(String node, boolean fits, List<String> reasons, FreeResources free) {}
}
