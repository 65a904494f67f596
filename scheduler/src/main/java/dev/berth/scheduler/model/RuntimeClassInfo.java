package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A RuntimeClass: its handler and its scheduling constraints.
///
/// @param nodeSelector and `tolerations`: what admission adds to the class's pods
/// @param scheduling empty where the scheduler's default applies
public record RuntimeClassInfo(
    String name,
    String handler,
    Map<String, String> nodeSelector,
    List<Toleration> tolerations,
    Optional<ClassScheduling> scheduling) {
  public RuntimeClassInfo {
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = List.copyOf(tolerations);
  }

  /// A class without scheduling constraints.
  public RuntimeClassInfo(String name, String handler) {
    this(name, handler, Map.of(), List.of(), Optional.empty());
  }

  public static RuntimeClassInfo parse(JsonNode tree) {
    JsonNode scheduling = tree.path("scheduling");
    return new RuntimeClassInfo(
        tree.path("metadata").path("name").asText(),
        tree.path("handler").asText(),
        ObjectTrees.texts(scheduling.path("nodeSelector")),
        ObjectTrees.each(scheduling.path("tolerations"), Toleration::parse),
        ClassScheduling.ofClass(tree));
  }

  /// Whether a node has the labels that pods of the class need.
  public boolean selects(NodeInfo node) {
    return nodeSelector.entrySet().stream()
        .allMatch(wanted -> wanted.getValue().equals(node.labels().get(wanted.getKey())));
  }

  /// Whether the node has taints that the class's tolerations do not cover.
  public boolean isRepelledBy(NodeInfo node) {
    return node.traits().taints().stream()
        .anyMatch(taint -> taint.isHard() && !taint.isTolerated(tolerations));
  }
}
