package dev.berth.controllers.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorTree;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Computes the rules of an aggregated ClusterRole; pure. A role that selects itself would grow
/// with each pass, so it never counts.
final class AggregatedRules {
  private AggregatedRules() {}

  static boolean isAggregated(JsonNode role) {
    return role.path("aggregationRule").isObject();
  }

  /// Ordered as upstream: by selector, then by name of the role, without duplicates.
  static ArrayNode of(ObjectNode aggregated, Collection<ObjectNode> all) {
    List<ObjectNode> byName =
        all.stream().sorted(Comparator.comparing(AggregatedRules::name)).toList();
    Set<JsonNode> rules = new LinkedHashSet<>();
    for (JsonNode tree : aggregated.at("/aggregationRule/clusterRoleSelectors")) {
      LabelSelector selector = SelectorTree.selector(tree);
      for (ObjectNode role : byName) {
        if (!name(role).equals(name(aggregated)) && selector.matches(labels(role))) {
          role.path("rules").forEach(rules::add);
        }
      }
    }
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    rules.forEach(rule -> list.add(rule.deepCopy()));
    return list;
  }

  static String name(JsonNode role) {
    return role.at("/metadata/name").asText();
  }

  private static Map<String, String> labels(JsonNode role) {
    return role.at("/metadata/labels").properties().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, label -> label.getValue().asText()));
  }
}
