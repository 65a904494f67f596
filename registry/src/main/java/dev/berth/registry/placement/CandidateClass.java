package dev.berth.registry.placement;

import java.util.Map;

/// A RuntimeClass that a pod may use.
///
/// @param nodeSelector of the class's scheduling, which its pods get
public record CandidateClass(String name, String handler, Map<String, String> nodeSelector) {
  public CandidateClass {
    nodeSelector = Map.copyOf(nodeSelector);
  }

  boolean matches(NodePlatforms node) {
    return node.offers(handler)
        && nodeSelector.entrySet().stream()
            .allMatch(entry -> entry.getValue().equals(node.labels().get(entry.getKey())));
  }
}
