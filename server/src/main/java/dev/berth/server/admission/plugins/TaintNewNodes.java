package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;

/// Taints a new node as not ready until its agent reports it ready (upstream's
/// `TaintNodesByCondition`).
///
/// Without the taint the scheduler could use a node in the moment between its registration and its
/// first status. The controller of nodes removes the taint.
final class TaintNewNodes implements AdmissionPlugin {
  private static final String KEY = "node.kubernetes.io/not-ready";
  private static final String EFFECT = "NoSchedule";

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode node = attributes.whole("", "nodes");
    if (node == null || attributes.operation() != Operation.CREATE) {
      return;
    }
    ObjectNode spec =
        node.path("spec") instanceof ObjectNode present ? present : node.putObject("spec");
    for (JsonNode taint : spec.path("taints")) {
      if (taint.path("key").asText().equals(KEY) && taint.path("effect").asText().equals(EFFECT)) {
        return;
      }
    }
    ArrayNode taints =
        spec.path("taints") instanceof ArrayNode list ? list : spec.putArray("taints");
    taints.addObject().put("key", KEY).put("effect", EFFECT);
  }
}
