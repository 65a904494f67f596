package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.LabelSelector.Operator;
import dev.berth.api.SelectorTree;
import java.util.Map;
import java.util.Optional;

/// One alternative of a node affinity: labels and fields (only the name) of a node; an empty one
/// fits no node.
public record NodeTerm(LabelSelector labels, LabelSelector fields) {
  private static final String NAME_FIELD = "metadata.name";

  static NodeTerm parse(JsonNode tree) {
    return new NodeTerm(
        SelectorTree.expressions(tree.path("matchExpressions")),
        SelectorTree.expressions(tree.path("matchFields")));
  }

  public boolean matches(NodeInfo node) {
    return !(labels.isEverything() && fields.isEverything())
        && labels.matches(node.labels())
        && (fields.isEverything() || fields.matches(Map.of(NAME_FIELD, node.name())));
  }

  /// The one node that this term can fit, as a DaemonSet's pods have it.
  Optional<String> onlyNode() {
    return fields.requirements().stream()
        .filter(field -> field.key().equals(NAME_FIELD))
        .filter(field -> field.operator() == Operator.IN && field.values().size() == 1)
        .map(field -> field.values().iterator().next())
        .findFirst();
  }

  boolean tellsNodesApart() {
    return !fields.isEverything()
        || labels.requirements().stream().anyMatch(label -> label.key().equals(NodeInfo.HOSTNAME));
  }
}
