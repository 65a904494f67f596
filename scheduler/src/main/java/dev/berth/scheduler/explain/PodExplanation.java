package dev.berth.scheduler.explain;

import java.util.List;

/// The verdict of every node for one pod.
///
/// @param node the node of the pod, empty while unbound
/// @param message the summary: its node, a feasible node, or the text of FailedScheduling
public record PodExplanation(
    String namespace,
    String name,
    String runtimeClass,
    String handler,
    String node,
    String message,
    List<NodeAnswer> nodes) {
  /// The verdict of one node.
  ///
  /// @param reasons why it is not feasible, empty when it is
  /// @param free CPU and memory that no pod has requested
  public record NodeAnswer(String node, boolean fits, List<String> reasons, FreeResources free) {}
}
