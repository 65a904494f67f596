package dev.berth.scheduler.explain;

import java.util.List;
import java.util.Map;

/// A RuntimeClass and the nodes where it can be used.
///
/// @param isDefault whether it is the default class of the cluster
/// @param defaultOf namespaces whose default it is
/// @param offering nodes that its selector allows and that offer its handler, or report nothing and
///   are judged by labels
/// @param ready those of them whose runtime service is ready and that its pods may go to
/// @param free the free resources of the ready nodes
/// @param pods that name the class and are not finished
public record ClassReport(
    String name,
    String handler,
    Map<String, String> overhead,
    boolean isDefault,
    List<String> defaultOf,
    int offering,
    int ready,
    FreeResources free,
    int pods,
    List<ClassNode> nodes) {
  /// The state of a class on one node.
  ///
  /// @param services that offer its handler
  /// @param state ready, not ready, unschedulable, tainted where the class tolerates too little, or
  ///   by labels for nodes that report nothing
  public record ClassNode(
      String node, List<String> services, String state, FreeResources free, int pods) {}
}
