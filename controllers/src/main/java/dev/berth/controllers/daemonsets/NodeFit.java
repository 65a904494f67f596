package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.Taint;
import dev.berth.api.Taint.Effect;
import dev.berth.controllers.workloads.ObjectIdentity;
import java.util.List;
import java.util.Map;

/// Whether a daemon's pod belongs on a node by selectors, affinity and taints.
///
/// The node selector and tolerations that admission adds from the RuntimeClass count too: otherwise
/// the controller would create pods for nodes on which they can never run.
///
/// @param run a pod must be created on the node
/// @param stay an existing pod may stay on the node
record NodeFit(boolean run, boolean stay) {
  private static final NodeFit NO = new NodeFit(false, false);

  /// Taints that upstream's controller tolerates in every daemon: daemons keep nodes working, so
  /// that they run where other pods must not.
  private static final List<String> ALWAYS_TOLERATED =
      List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

  /// @param spec of the pod after admission
  static NodeFit of(JsonNode spec, JsonNode node) {
    Map<String, String> labels = ObjectIdentity.texts(node.path("metadata").path("labels"));
    String name = node.path("metadata").path("name").asText();
    String named = spec.path("nodeName").asText();
    if ((!named.isEmpty() && !named.equals(name))
        || !RequiredNodeAffinity.parse(spec).matches(name, labels)) {
      return NO;
    }
    boolean run = true;
    boolean stay = true;
    for (JsonNode tree : node.path("spec").path("taints")) {
      Taint taint = Taint.parse(tree);
      // A NoSchedule taint that comes later keeps new pods away and does not end those that run.
      if (taint.isHard() && !taint.isTolerated(spec.path("tolerations"))) {
        run = false;
        stay &= taint.effect() != Effect.NO_EXECUTE;
      }
    }
    return new NodeFit(run, stay);
  }

  /// The template's spec with the tolerations of every daemon.
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
