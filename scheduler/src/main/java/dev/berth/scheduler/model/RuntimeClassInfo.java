package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A RuntimeClass: the handler it stands for, and where its pods go.
///
/// @param nodeSelector and `tolerations`: what admission adds to the class's pods
/// @param scheduling empty where the scheduler's own setting counts
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

  /// One whose pods go anywhere.
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

  /// Whether pods that tolerate nothing but what the class does are kept off a node.
  public boolean isRepelledBy(NodeInfo node) {
    return node.traits().taints().stream()
        .anyMatch(taint -> taint.isHard() && !taint.isTolerated(tolerations));
  }
}
