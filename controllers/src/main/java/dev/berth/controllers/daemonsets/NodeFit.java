package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.SelectorTree;
import dev.berth.controllers.workloads.Identity;
import java.util.List;
import java.util.Map;

/// Whether a daemon's pod belongs on a node, as far as selectors and taints go.
///
/// What admission will add to the pod from its RuntimeClass counts, too: else a pod would be made
/// for a node that it can never run on.
///
/// @param run a pod is to be made there
/// @param stay one that is there may stay
record NodeFit(boolean run, boolean stay) {
  private static final NodeFit NO = new NodeFit(false, false);
  private static final List<String> ALWAYS_TOLERATED =
      List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

  /// @param spec of the pod as it is going to be
  static NodeFit of(JsonNode spec, JsonNode node) {
    Map<String, String> labels = Identity.texts(node.path("metadata").path("labels"));
    String name = node.path("metadata").path("name").asText();
    Map<String, String> selector = Identity.texts(spec.path("nodeSelector"));
    String named = spec.path("nodeName").asText();
    if ((!named.isEmpty() && !named.equals(name))
        || !labels.entrySet().containsAll(selector.entrySet())
        || !matchesAffinity(spec, labels, name)) {
      return NO;
    }
    boolean run = true;
    boolean stay = true;
    for (JsonNode taint : node.path("spec").path("taints")) {
      String effect = taint.path("effect").asText();
      if (!effect.equals("PreferNoSchedule") && !isTolerated(spec, taint)) {
        run = false;
        stay &= !effect.equals("NoExecute");
      }
    }
    return new NodeFit(run, stay);
  }

  private static boolean matchesAffinity(JsonNode spec, Map<String, String> labels, String name) {
    JsonNode terms =
        spec.at(
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
    return terms.isMissingNode()
        || terms
            .valueStream()
            .filter(term -> !term.isEmpty())
            .anyMatch(
                term ->
                    SelectorTree.expressions(term.path("matchExpressions")).matches(labels)
                        && SelectorTree.expressions(term.path("matchFields"))
                            .matches(Map.of("metadata.name", name)));
  }

  private static boolean isTolerated(JsonNode spec, JsonNode taint) {
    return spec.path("tolerations").valueStream().anyMatch(one -> tolerates(one, taint));
  }

  private static boolean tolerates(JsonNode toleration, JsonNode taint) {
    String effect = toleration.path("effect").asText();
    String key = toleration.path("key").asText();
    if ((!effect.isEmpty() && !effect.equals(taint.path("effect").asText()))
        || (!key.isEmpty() && !key.equals(taint.path("key").asText()))) {
      return false;
    }
    return toleration.path("operator").asText().equals("Exists")
        || (!key.isEmpty()
            && toleration.path("value").asText().equals(taint.path("value").asText()));
  }

  /// The template's spec with what every daemon tolerates.
  static ObjectNode tolerant(JsonNode template) {
    ObjectNode spec = template.path("spec").deepCopy();
    ArrayNode tolerations = spec.withArray("/tolerations");
    add(tolerations, "not-ready", "NoExecute");
    add(tolerations, "unreachable", "NoExecute");
    ALWAYS_TOLERATED.forEach(one -> add(tolerations, one, "NoSchedule"));
    if (spec.path("hostNetwork").asBoolean()) {
      add(tolerations, "network-unavailable", "NoSchedule");
    }
    return spec;
  }

  private static void add(ArrayNode tolerations, String what, String effect) {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.put("key", "node.kubernetes.io/" + what).put("operator", "Exists").put("effect", effect);
    if (tolerations.valueStream().noneMatch(one::equals)) {
      tolerations.add(one);
    }
  }

  /// The spec with the node selector and tolerations of its RuntimeClass, as admission merges them.
  static ObjectNode ofClass(ObjectNode spec, JsonNode runtimeClass) {
    ObjectNode merged = spec.deepCopy();
    JsonNode scheduling = runtimeClass.path("scheduling");
    if (!scheduling.path("nodeSelector").isEmpty()) {
      ObjectNode selector = merged.withObject("/nodeSelector");
      scheduling
          .path("nodeSelector")
          .propertyStream()
          .forEach(entry -> selector.set(entry.getKey(), entry.getValue()));
    }
    scheduling
        .path("tolerations")
        .forEach(toleration -> merged.withArray("/tolerations").add(toleration));
    return merged;
  }
}
