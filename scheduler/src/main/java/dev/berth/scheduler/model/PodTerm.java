package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorTree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A term of pod affinity or anti-affinity.
///
/// @param selector of the other pods' labels; null selects none
/// @param namespaces by name; the pod's own when neither names nor a selector are given
/// @param namespaceSelector by label; null for none
/// @param topologyKey the node label whose value defines the topology domain
public record PodTerm(
    @Nullable LabelSelector selector,
    Set<String> namespaces,
    @Nullable LabelSelector namespaceSelector,
    String topologyKey) {

  /// A preferred term with its weight.
  public record Weighted(int weight, PodTerm term) {}

  static List<PodTerm> parseAll(JsonNode array, String namespace) {
    return ObjectTrees.each(array, item -> parse(item, namespace));
  }

  static List<Weighted> parseWeighted(JsonNode array, String namespace, int sign) {
    return ObjectTrees.each(
        array,
        item ->
            new Weighted(
                sign * item.path("weight").asInt(),
                parse(item.path("podAffinityTerm"), namespace)));
  }

  private static PodTerm parse(JsonNode tree, String namespace) {
    Set<String> namespaces =
        Set.copyOf(ObjectTrees.each(tree.path("namespaces"), JsonNode::asText));
    JsonNode byLabel = tree.path("namespaceSelector");
    JsonNode selector = tree.path("labelSelector");
    return new PodTerm(
        selector.isObject() ? SelectorTree.selector(selector) : null,
        // An empty namespace selector is an object and selects all namespaces; a missing one
        // selects none.
        namespaces.isEmpty() && !byLabel.isObject() ? Set.of(namespace) : namespaces,
        byLabel.isObject() ? SelectorTree.selector(byLabel) : null,
        tree.path("topologyKey").asText());
  }

  /// Whether the term selects the pod.
  ///
  /// @param namespaceLabels the labels of every known namespace, by name
  public boolean matches(PodInfo pod, Map<String, Map<String, String>> namespaceLabels) {
    String namespace = pod.key().namespace();
    boolean inNamespace =
        namespaces.contains(namespace)
            || (namespaceSelector != null
                && namespaceSelector.matches(namespaceLabels.getOrDefault(namespace, Map.of())));
    return inNamespace && selector != null && selector.matches(pod.labels());
  }
}
