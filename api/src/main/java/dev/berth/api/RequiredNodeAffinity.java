package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The nodes that a pod allows by its `nodeSelector` and its required node affinity. Both must
/// match.
///
/// @param required terms of which one must match, and none can if there is no term; null when the
///   pod has no required affinity
public record RequiredNodeAffinity(
    Map<String, String> selector, @Nullable List<NodeTerm> required) {
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /// Upstream's message for a node that does not match.
  public static final String MISMATCH = "node(s) didn't match Pod's node affinity/selector";

  public RequiredNodeAffinity {
    selector = Map.copyOf(selector);
    required = required == null ? null : List.copyOf(required);
  }

  /// Reads a pod's specification.
  public static RequiredNodeAffinity parse(JsonNode spec) {
    Map<String, String> selector = new HashMap<>();
    spec.path("nodeSelector")
        .properties()
        .forEach(entry -> selector.put(entry.getKey(), entry.getValue().asText()));
    JsonNode terms =
        spec.at(
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
    if (terms.isMissingNode()) {
      return new RequiredNodeAffinity(selector, null);
    }
    List<NodeTerm> required = new ArrayList<>();
    terms.forEach(term -> required.add(NodeTerm.parse(term)));
    return new RequiredNodeAffinity(selector, required);
  }

  public boolean matches(String node, Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : selector.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    if (required == null) {
      return true;
    }
    for (NodeTerm term : required) {
      if (term.matches(node, labels)) {
        return true;
      }
    }
    return false;
  }

  /// The labels of nodes on which the result depends.
  public Set<String> labels() {
    Set<String> labels = new HashSet<>(selector.keySet());
    if (required != null) {
      required.forEach(
          term -> term.labels().requirements().forEach(label -> labels.add(label.key())));
    }
    return labels;
  }

  public boolean isAny() {
    return selector.isEmpty() && required == null;
  }

  /// Whether the result may differ between nodes that differ in their names only.
  public boolean distinguishesNodes() {
    return selector.containsKey(HOSTNAME)
        || (required != null && required.stream().anyMatch(NodeTerm::distinguishesNodes));
  }

  /// The only node that can match, when the pod names one.
  public Optional<String> onlyNode() {
    return required == null || required.size() != 1
        ? Optional.empty()
        : required.getFirst().onlyNode();
  }
}
