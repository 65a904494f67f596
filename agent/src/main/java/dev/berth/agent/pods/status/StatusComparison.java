package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;

/// Compares the status in the API with the agent's. Fields that servers of other versions add or
/// drop do not count.
final class StatusComparison {
  private static final List<String> WORDS = List.of("phase", "reason", "message", "podIP");
  private static final List<String> OF_CONDITIONS = List.of("status", "reason", "message");
  private static final List<String> OF_CONTAINERS = List.of("ready", "restartCount", "containerID");

  private StatusComparison() {}

  static boolean holds(JsonNode status, JsonNode apiStatus) {
    return areSame(WORDS, status, apiStatus)
        && conditionsHold(status.path("conditions"), apiStatus.path("conditions"))
        && List.of("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")
            .stream()
            .allMatch(field -> containersHold(status.path(field), apiStatus.path(field)));
  }

  private static boolean conditionsHold(JsonNode conditions, JsonNode apiStatus) {
    for (JsonNode condition : apiStatus) {
      JsonNode found = StatusDiff.find(conditions, "type", condition.path("type").asText());
      if (PodConditions.isOurs(condition) && !areSame(OF_CONDITIONS, found, condition)) {
        return false;
      }
    }
    return true;
  }

  private static boolean containersHold(JsonNode containers, JsonNode apiStatus) {
    for (JsonNode container : apiStatus) {
      JsonNode found = StatusDiff.find(containers, "name", container.path("name").asText());
      if (!areSame(OF_CONTAINERS, found, container) || !state(found).equals(state(container))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areSame(List<String> fields, JsonNode one, JsonNode other) {
    return fields.stream()
        .allMatch(field -> one.path(field).asText("").equals(other.path(field).asText("")));
  }

  private static String state(JsonNode container) {
    Iterator<String> states = container.path("state").fieldNames();
    return states.hasNext() ? states.next() : "";
  }
}
