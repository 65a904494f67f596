package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPhase;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;

/// Fields that the server sets on a pod after admission and before validation.
public final class PodCreation {
  private PodCreation() {}

  /// Prepares a new pod; replaces the client's status by the initial one.
  public static void prepare(ObjectNode pod) {
    ObjectNode spec =
        pod.get("spec") instanceof ObjectNode present ? present : pod.putObject("spec");
    ObjectNode status = pod.putObject("status");
    status.put("phase", PodPhase.PENDING);
    if (!spec.path("schedulingGates").isEmpty()) {
      status.putArray("conditions").add(gated(status.objectNode()));
    }
    status.put("qosClass", QosClass.of(PodView.of(spec)).toString());
    selectByLabels(spec, pod.path("metadata").path("labels"));
    new PodAppArmor(pod).synchronize();
  }

  /// Prepares a write to `/status`: keeps the QoS class, which old node agents drop.
  ///
  /// The class is computed once at creation and never changes.
  public static void prepareStatusUpdate(ObjectNode pod, ObjectNode old) {
    String qos = PodTree.text(old.path("status"), "qosClass");
    if (!qos.isEmpty()) {
      PodTree.text(pod.withObjectProperty("status"), "qosClass", qos);
    }
  }

  private static ObjectNode gated(ObjectNode condition) {
    return condition
        .put("type", "PodScheduled")
        .put("status", "False")
        .putNull("lastProbeTime")
        .putNull("lastTransitionTime")
        .put("reason", "SchedulingGated")
        .put("message", "Scheduling is blocked due to non-empty scheduling gates");
  }

  /// Turns `matchLabelKeys` and `mismatchLabelKeys` into requirements on this pod's own values.
  ///
  /// The scheduler then only sees label selectors. The values are those at creation: later changes
  /// of the labels do not change the rule (KEP-3633).
  private static void selectByLabels(ObjectNode spec, JsonNode labels) {
    JsonNode affinity = spec.path("affinity");
    for (String sort : new String[] {"podAffinity", "podAntiAffinity"}) {
      JsonNode rules = affinity.path(sort);
      PodTree.each(
          rules,
          "requiredDuringSchedulingIgnoredDuringExecution",
          term -> selectByLabels(term, labels, "matchLabelKeys", "In"));
      PodTree.each(
          rules,
          "requiredDuringSchedulingIgnoredDuringExecution",
          term -> selectByLabels(term, labels, "mismatchLabelKeys", "NotIn"));
      PodTree.each(
          rules,
          "preferredDuringSchedulingIgnoredDuringExecution",
          weighted ->
              PodTree.object(
                  weighted,
                  "podAffinityTerm",
                  term -> {
                    selectByLabels(term, labels, "matchLabelKeys", "In");
                    selectByLabels(term, labels, "mismatchLabelKeys", "NotIn");
                  }));
    }
  }

  private static void selectByLabels(
      ObjectNode term, JsonNode labels, String keys, String operator) {
    if (!(term.get("labelSelector") instanceof ObjectNode selector)) {
      return;
    }
    for (JsonNode key : term.path(keys)) {
      JsonNode value = labels.get(key.asText());
      if (value != null) {
        ObjectNode expression = selector.withArrayProperty("matchExpressions").addObject();
        expression.put("key", key.asText()).put("operator", operator);
        expression.putArray("values").add(value);
      }
    }
  }
}
