package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Applies the defaults of a LimitRange to containers of a new pod and records them in an
/// annotation.
///
/// Values that a container has stay. The annotation explains amounts that are not in the user's
/// manifest.
final class LimitDefaults {
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  private final Map<String, JsonNode> requests = new TreeMap<>();
  private final Map<String, JsonNode> limits = new TreeMap<>();
  private final List<String> done = new ArrayList<>();

  private LimitDefaults(JsonNode limitRange) {
    for (JsonNode item : limitRange.path("spec").path("limits")) {
      if (item.path("type").asText().equals("Container")) {
        item.path("defaultRequest")
            .properties()
            .forEach(e -> requests.put(e.getKey(), e.getValue()));
        item.path("default").properties().forEach(e -> limits.put(e.getKey(), e.getValue()));
      }
    }
  }

  static void apply(JsonNode limitRange, ObjectNode pod) {
    LimitDefaults defaults = new LimitDefaults(limitRange);
    if (!defaults.requests.isEmpty() || !defaults.limits.isEmpty()) {
      defaults.apply(pod);
    }
  }

  private void apply(ObjectNode pod) {
    JsonNode spec = pod.path("spec");
    spec.path("containers").forEach(container -> container(container, "container"));
    spec.path("initContainers").forEach(container -> container(container, "init container"));
    PodWorkload.in(spec).forEach(one -> container(one.tree(), one.type().description()));
    if (!done.isEmpty()) {
      pod.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", done));
    }
  }

  private void container(JsonNode node, String sort) {
    if (node instanceof ObjectNode container) {
      ObjectNode resources = container.withObjectProperty("resources");
      String name = sort + " " + container.path("name").asText();
      List<String> limited = complete(resources, "limits", limits);
      List<String> requested = complete(resources, "requests", requests);
      note(requested, "request", name);
      note(limited, "limit", name);
    }
  }

  /// Only absent amounts are set; zero is an amount.
  private static List<String> complete(
      ObjectNode resources, String field, Map<String, JsonNode> defaults) {
    List<String> set = new ArrayList<>();
    defaults.forEach(
        (name, amount) -> {
          if (!resources.path(field).has(name)) {
            resources.withObjectProperty(field).set(name, amount);
            set.add(name);
          }
        });
    return set;
  }

  private void note(List<String> names, String what, String container) {
    if (!names.isEmpty()) {
      done.add("%s %s for %s".formatted(String.join(", ", names), what, container));
    }
  }
}
