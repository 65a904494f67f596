package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector.Operator;
import java.util.Map;
import java.util.Optional;

/// A term of a node affinity: labels and fields (only the name) of a node. An empty term matches no
/// node.
public record NodeTerm(LabelSelector labels, LabelSelector fields) {
  private static final String NAME_FIELD = "metadata.name";

  public static NodeTerm parse(JsonNode tree) {
    return new NodeTerm(
        SelectorTree.expressions(tree.path("matchExpressions")),
        SelectorTree.expressions(tree.path("matchFields")));
  }

  public boolean matches(String node, Map<String, String> labelsOfNode) {
    return !(labels.isEverything() && fields.isEverything())
        && labels.matches(labelsOfNode)
        && (fields.isEverything() || fields.matches(Map.of(NAME_FIELD, node)));
  }

  /// The only node that this term can match, as in the pods of a DaemonSet.
  public Optional<String> onlyNode() {
    return fields.requirements().stream()
        .filter(field -> field.key().equals(NAME_FIELD))
        .filter(field -> field.operator() == Operator.IN && field.values().size() == 1)
        .map(field -> field.values().iterator().next())
        .findFirst();
  }

  /// Whether the term may match one of two nodes that differ in their names only.
  public boolean distinguishesNodes() {
    return !fields.isEverything()
        || labels.requirements().stream()
            .anyMatch(label -> label.key().equals(RequiredNodeAffinity.HOSTNAME));
  }
}
