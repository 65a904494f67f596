package dev.berth.registry.placement;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/// A RuntimeClass that a pod may use.
///
/// @param nodeSelector of the class's scheduling, which its pods get
public record CandidateClass(String name, String handler, Map<String, String> nodeSelector) {
  public CandidateClass {
    nodeSelector = Map.copyOf(nodeSelector);
  }

  /// Reads a RuntimeClass.
  public static CandidateClass parse(JsonNode runtimeClass) {
    Map<String, String> selector = new HashMap<>();
    runtimeClass
        .at("/scheduling/nodeSelector")
        .properties()
        .forEach(label -> selector.put(label.getKey(), label.getValue().asText()));
    return new CandidateClass(
        runtimeClass.at("/metadata/name").asText(""),
        runtimeClass.path("handler").asText(""),
        selector);
  }

  boolean matches(NodePlatforms node) {
    return node.offers(handler)
        && nodeSelector.entrySet().stream()
            .allMatch(entry -> entry.getValue().equals(node.labels().get(entry.getKey())));
  }
}
