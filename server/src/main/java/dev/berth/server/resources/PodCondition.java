package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.ScalarForms;
import java.time.Instant;

/// A pod condition that the server sets.
///
/// @param reason omitted when empty, like the message
record PodCondition(String type, String reason, String message) {
  /// Sets the condition to true, keeping its place and transition time.
  void setTrue(ObjectNode pod, Instant now) {
    ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
    int place = 0;
    while (place < conditions.size() && !conditions.get(place).path("type").asText().equals(type)) {
      place++;
    }
    JsonNode before = conditions.path(place);
    ObjectNode condition =
        conditions.objectNode().put("type", type).put("status", "True").putNull("lastProbeTime");
    condition.put(
        "lastTransitionTime",
        // The transition time changes only with the status.
        before.path("status").asText().equals("True")
            ? before.path("lastTransitionTime").asText()
            : ScalarForms.time(now));
    if (!reason.isEmpty()) {
      condition.put("reason", reason).put("message", message);
    }
    if (place < conditions.size()) {
      conditions.set(place, condition);
    } else {
      conditions.add(condition);
    }
  }
}
