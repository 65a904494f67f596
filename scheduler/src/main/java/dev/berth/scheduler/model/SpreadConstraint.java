package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.LabelSelector.Operator;
import dev.berth.api.LabelSelector.Requirement;
import dev.berth.api.SelectorTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A topology spread constraint.
///
/// @param hard whether a violation refuses the node (`DoNotSchedule`) or only lowers its score
/// @param honorAffinity whether only nodes that the pod's selectors fit are counted
/// @param honorTaints whether only nodes that the pod tolerates are counted
public record SpreadConstraint(
    int maxSkew,
    String topologyKey,
    boolean hard,
    LabelSelector selector,
    int minDomains,
    boolean honorAffinity,
    boolean honorTaints) {

  static List<SpreadConstraint> parseAll(JsonNode array, Map<String, String> labels) {
    return ObjectTrees.each(array, item -> parse(item, labels));
  }

  private static SpreadConstraint parse(JsonNode tree, Map<String, String> labels) {
    List<Requirement> requirements =
        new ArrayList<>(SelectorTree.selector(tree.path("labelSelector")).requirements());
    // KEP-3243: the pod's own value is merged into the selector; a key that the pod lacks is
    // ignored.
    for (JsonNode key : tree.path("matchLabelKeys")) {
      String value = labels.get(key.asText());
      if (value != null) {
        requirements.add(new Requirement(key.asText(), Operator.IN, Set.of(value)));
      }
    }
    return new SpreadConstraint(
        Math.max(1, tree.path("maxSkew").asInt(1)),
        tree.path("topologyKey").asText(),
        !tree.path("whenUnsatisfiable").asText().equals("ScheduleAnyway"),
        new LabelSelector(requirements),
        Math.max(1, tree.path("minDomains").asInt(1)),
        // KEP-3094: affinity is honored and taints are ignored unless the constraint says
        // otherwise.
        !tree.path("nodeAffinityPolicy").asText().equals("Ignore"),
        tree.path("nodeTaintsPolicy").asText().equals("Honor"));
  }
}
