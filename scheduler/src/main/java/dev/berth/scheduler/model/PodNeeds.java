package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a pod asks of a node's fixed properties; pods with equal needs get equal answers from equal
/// nodes.
///
/// @param required alternatives, of which one must fit; null when anything fits
/// @param os empty for any
/// @param className the RuntimeClass, empty for none
/// @param serviceName the runtime service asked for by name, empty for none
public record PodNeeds(
    Map<String, String> nodeSelector,
    @Nullable List<NodeTerm> required,
    List<Preference> preferred,
    List<Toleration> tolerations,
    String os,
    String className,
    String serviceName,
    WorkloadType workload) {
  public static final String SERVICE_ANNOTATION = "berth.dev/runtime-service";

  /// A node affinity that is wished for, not required.
  public record Preference(int weight, NodeTerm term) {}

  static PodNeeds parse(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    JsonNode affinity = spec.path("affinity").path("nodeAffinity");
    JsonNode terms =
        affinity.path("requiredDuringSchedulingIgnoredDuringExecution").path("nodeSelectorTerms");
    String service = spec.path("runtimeServiceName").asText();
    return new PodNeeds(
        Trees.texts(spec.path("nodeSelector")),
        terms.isMissingNode() ? null : Trees.each(terms, NodeTerm::parse),
        Trees.each(
            affinity.path("preferredDuringSchedulingIgnoredDuringExecution"),
            item ->
                new Preference(
                    item.path("weight").asInt(), NodeTerm.parse(item.path("preference")))),
        Trees.each(spec.path("tolerations"), Toleration::parse),
        spec.path("os").path("name").asText(),
        spec.path("runtimeClassName").asText(""),
        service.isEmpty()
            ? pod.path("metadata").path("annotations").path(SERVICE_ANNOTATION).asText()
            : service,
        spec.path("virtualMachine").isObject() ? WorkloadType.VM : WorkloadType.CONTAINER);
  }

  /// Whether the answer can differ between nodes that agree in all but their names.
  public boolean tellsNodesApart() {
    return nodeSelector.containsKey(NodeInfo.HOSTNAME)
        || (required != null && required.stream().anyMatch(NodeTerm::tellsNodesApart))
        || preferred.stream().anyMatch(preference -> preference.term().tellsNodesApart());
  }

  /// The only node that can do, when the pod names one.
  public Optional<String> onlyNode() {
    return required == null || required.size() != 1
        ? Optional.empty()
        : required.getFirst().onlyNode();
  }
}
