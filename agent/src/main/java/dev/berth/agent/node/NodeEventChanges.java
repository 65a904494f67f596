package dev.berth.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the changes of a node's status that deserve an event, in the kubelet's words; those of
/// runtime services are Berth's own.
///
/// @param node its name
/// @param before the server's status, missing for a new node
record NodeEventChanges(String node, JsonNode before) {
  record NodeEvent(boolean warning, String reason, String message) {}

  /// The event reasons of a pressure and of its end.
  private record PressureReasons(String pressed, String relieved) {}

  private static final Map<String, PressureReasons> PRESSURES =
      Map.of(
          "MemoryPressure",
              new PressureReasons("NodeHasInsufficientMemory", "NodeHasSufficientMemory"),
          "DiskPressure", new PressureReasons("NodeHasDiskPressure", "NodeHasNoDiskPressure"),
          "PIDPressure", new PressureReasons("NodeHasInsufficientPID", "NodeHasSufficientPID"));

  /// The events for a new status.
  ///
  /// @param first whether it is this agent's first status, which reports sufficient resources in
  ///   any case
  List<NodeEvent> in(JsonNode status, boolean first) {
    List<NodeEvent> events = new ArrayList<>();
    rebooted(status).ifPresent(events::add);
    Map<String, String> known = new HashMap<>();
    for (JsonNode condition : before.path("conditions")) {
      if (isSettled(condition)) {
        known.put(condition.path("type").asText(), condition.path("status").asText());
      }
    }
    for (JsonNode condition : status.path("conditions")) {
      if (!isSettled(condition)) {
        continue;
      }
      String type = condition.path("type").asText();
      boolean changed = !condition.path("status").asText().equals(known.get(type));
      if (changed || (first && PRESSURES.containsKey(type))) {
        ofCondition(type, condition).ifPresent(events::add);
      }
    }
    return events;
  }

  /// A service without an answer or failure yet gets its event a moment later.
  private static boolean isSettled(JsonNode condition) {
    return !condition.path("reason").asText().equals(NodeCondition.CONNECTING);
  }

  private Optional<NodeEvent> rebooted(JsonNode status) {
    String then = before.path("nodeInfo").path("bootID").asText();
    String now = status.path("nodeInfo").path("bootID").asText();
    return then.isEmpty() || then.equals(now)
        ? Optional.empty()
        : Optional.of(
            new NodeEvent(
                true, "Rebooted", "Node %s has been rebooted, boot id: %s".formatted(node, now)));
  }

  private Optional<NodeEvent> ofCondition(String type, JsonNode condition) {
    boolean holds = condition.path("status").asText().equals(NodeCondition.TRUE);
    PressureReasons words = PRESSURES.get(type);
    if (words != null) {
      return Optional.of(isNow(holds ? words.pressed() : words.relieved()));
    }
    if (type.equals(NodeCondition.READY)) {
      return Optional.of(isNow(holds ? "NodeReady" : "NodeNotReady"));
    }
    if (type.startsWith(NodeCondition.RUNTIME)) {
      return Optional.of(
          new NodeEvent(
              !holds,
              holds ? "RuntimeServiceReady" : "RuntimeServiceNotReady",
              "%s: %s"
                  .formatted(
                      type.substring(NodeCondition.RUNTIME.length()),
                      condition.path("message").asText())));
    }
    return Optional.empty();
  }

  private NodeEvent isNow(String what) {
    return new NodeEvent(false, what, "Node %s status is now: %s".formatted(node, what));
  }
}
