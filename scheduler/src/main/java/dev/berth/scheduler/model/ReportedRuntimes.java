package dev.berth.scheduler.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.api.pods.WorkloadType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The runtime services of a node; empty when it reports none, as nodes of older clusters do.
///
/// Combined from three sources (docs/runtime-services-contract.md): `status.runtimeHandlers`, the
/// annotation that links handlers to services, and one condition for each service.
public record ReportedRuntimes(List<RuntimeServiceInfo> services) {
  public static final ReportedRuntimes UNREPORTED = new ReportedRuntimes(List.of());
  public static final String SERVICES_ANNOTATION = "berth.dev/runtime-services";
  public static final String READY_CONDITION = "RuntimeReady-";

  private static final JsonMapper MAPPER = new JsonMapper();

  public ReportedRuntimes {
    services = List.copyOf(services);
  }

  static ReportedRuntimes parse(JsonNode node) {
    Map<String, Boolean> readiness = readiness(node.path("status").path("conditions"));
    List<RuntimeServiceInfo> services = new ArrayList<>();
    Set<String> unlinked = new TreeSet<>();
    node.path("status")
        .path("runtimeHandlers")
        .forEach(handler -> unlinked.add(handler.path("name").asText()));
    String annotation =
        node.path("metadata").path("annotations").path(SERVICES_ANNOTATION).asText();
    for (Map.Entry<String, JsonNode> entry : readObject(annotation).properties()) {
      RuntimeServiceInfo service = service(entry.getKey(), entry.getValue(), readiness);
      services.add(service);
      unlinked.removeAll(service.handlers());
    }
    // If the annotation names services, an unlinked "" only marks the default handler.
    boolean onlyMark = !services.isEmpty() && unlinked.equals(Set.of(""));
    if (!unlinked.isEmpty() && !onlyMark) {
      services.add(
          new RuntimeServiceInfo(
              "", WorkloadType.DEFAULT, unlinked, Map.of(), services.isEmpty(), true));
    }
    services.sort(Comparator.comparing(RuntimeServiceInfo::name));
    return services.isEmpty() ? UNREPORTED : new ReportedRuntimes(services);
  }

  private static RuntimeServiceInfo service(
      String name, JsonNode tree, Map<String, Boolean> readiness) {
    return new RuntimeServiceInfo(
        name,
        WorkloadType.ofReport(tree.path("workloadType").asText("")).orElse(null),
        Set.copyOf(new TreeSet<>(ObjectTrees.each(tree.path("handlers"), JsonNode::asText))),
        isolations(tree.path("isolation")),
        tree.path("default").asBoolean(),
        readiness.getOrDefault(name, true));
  }

  private static Map<String, Isolation> isolations(JsonNode tree) {
    Map<String, Isolation> isolations = new HashMap<>();
    tree.properties()
        .forEach(
            entry ->
                isolations.put(
                    entry.getKey(),
                    entry.getValue().asText().equals("hyperv")
                        ? Isolation.HYPERV
                        : Isolation.PROCESS));
    return isolations;
  }

  private static Map<String, Boolean> readiness(JsonNode conditions) {
    Map<String, Boolean> readiness = new HashMap<>();
    for (JsonNode condition : conditions) {
      String type = condition.path("type").asText();
      if (type.startsWith(READY_CONDITION)) {
        readiness.put(
            type.substring(READY_CONDITION.length()),
            condition.path("status").asText().equals("True"));
      }
    }
    return readiness;
  }

  /// A malformed annotation must not stop the scheduler: text that is no JSON object is ignored.
  static JsonNode readObject(String text) {
    try {
      JsonNode tree = text.isEmpty() ? null : MAPPER.readTree(text);
      return tree != null && tree.isObject() ? tree : MAPPER.createObjectNode();
    } catch (JsonProcessingException _) {
      return MAPPER.createObjectNode();
    }
  }

  public boolean isReported() {
    return !services.isEmpty();
  }

  /// The handlers of all services.
  public Set<String> handlers() {
    Set<String> all = new TreeSet<>();
    services.forEach(service -> all.addAll(service.handlers()));
    return all;
  }

  /// The isolation of a handler where the node reports it; among several services, the most capable
  /// one.
  public Optional<Isolation> isolation(String handler) {
    return services.stream()
        .map(service -> service.isolations().get(handler))
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder());
  }

  public boolean offers(String handler) {
    return services.stream().anyMatch(service -> service.handlers().contains(handler));
  }

  public boolean offersReady(String handler) {
    return services.stream()
        .anyMatch(service -> service.isReady() && service.handlers().contains(handler));
  }
}
