package dev.berth.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is worth an event in a node's status, in the kubelet's words; those of runtime services are
/// Berth's own.
///
/// @param node its name
/// @param before the status that the server has, missing of a node that is new to it
record NodeEventChanges(String node, JsonNode before) {
  record News(boolean warning, String reason, String message) {}

  /// How a pressure is called while it lasts, and otherwise.
  private record Words(String pressed, String relieved) {}

  private static final Map<String, Words> PRESSURES =
      Map.of(
          "MemoryPressure", new Words("NodeHasInsufficientMemory", "NodeHasSufficientMemory"),
          "DiskPressure", new Words("NodeHasDiskPressure", "NodeHasNoDiskPressure"),
          "PIDPressure", new Words("NodeHasInsufficientPID", "NodeHasSufficientPID"));

  /// What a new status changes.
  ///
  /// @param first whether it is the first that this agent writes: it then says in any case of what
  ///   there is enough
  List<News> in(JsonNode status, boolean first) {
    List<News> news = new ArrayList<>();
    rebooted(status).ifPresent(news::add);
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
        ofCondition(type, condition).ifPresent(news::add);
      }
    }
    return news;
  }

  /// A service that has neither answered nor failed is no news yet; in a moment it is.
  private static boolean isSettled(JsonNode condition) {
    return !condition.path("reason").asText().equals(NodeCondition.CONNECTING);
  }

  private Optional<News> rebooted(JsonNode status) {
    String then = before.path("nodeInfo").path("bootID").asText();
    String now = status.path("nodeInfo").path("bootID").asText();
    return then.isEmpty() || then.equals(now)
        ? Optional.empty()
        : Optional.of(
            new News(
                true, "Rebooted", "Node %s has been rebooted, boot id: %s".formatted(node, now)));
  }

  private Optional<News> ofCondition(String type, JsonNode condition) {
    boolean holds = condition.path("status").asText().equals(NodeCondition.TRUE);
    Words words = PRESSURES.get(type);
    if (words != null) {
      return Optional.of(isNow(holds ? words.pressed() : words.relieved()));
    }
    if (type.equals(NodeCondition.READY)) {
      return Optional.of(isNow(holds ? "NodeReady" : "NodeNotReady"));
    }
    if (type.startsWith(NodeCondition.RUNTIME)) {
      return Optional.of(
          new News(
              !holds,
              holds ? "RuntimeServiceReady" : "RuntimeServiceNotReady",
              "%s: %s"
                  .formatted(
                      type.substring(NodeCondition.RUNTIME.length()),
                      condition.path("message").asText())));
    }
    return Optional.empty();
  }

  private News isNow(String what) {
    return new News(false, what, "Node %s status is now: %s".formatted(node, what));
  }
}
