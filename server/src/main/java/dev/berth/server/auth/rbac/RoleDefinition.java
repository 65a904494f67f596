package dev.berth.server.auth.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The content of a Role or ClusterRole.
///
/// Immutable; `RoleRef` replaces the whole definition when the object changes.
///
/// @param selectors select the cluster roles whose rules are aggregated; empty for a plain role
record RoleDefinition(
    List<PolicyRule> rules, Map<String, String> labels, List<LabelSelector> selectors) {
  RoleDefinition {
    rules = List.copyOf(rules);
    labels = Map.copyOf(labels);
    selectors = List.copyOf(selectors);
  }

  static RoleDefinition of(ObjectNode role) {
    List<LabelSelector> selectors = new ArrayList<>();
    for (JsonNode selector : role.at("/aggregationRule/clusterRoleSelectors")) {
      selectors.add(SelectorTree.selector(selector));
    }
    return new RoleDefinition(
        PolicyRule.all(role.path("rules")), strings(role.at("/metadata/labels")), selectors);
  }

  boolean selects(RoleDefinition other) {
    return selectors.stream().anyMatch(selector -> selector.matches(other.labels));
  }

  private static Map<String, String> strings(JsonNode map) {
    return map.properties().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asText()));
  }
}
