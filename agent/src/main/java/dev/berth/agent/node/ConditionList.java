package dev.berth.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Merges conditions with their timestamps into the Node object.
final class ConditionList {
  private static final String HEARTBEAT = "lastHeartbeatTime";
  private static final String TRANSITION = "lastTransitionTime";

  private ConditionList() {}

  /// Conditions of others first, then ours. `lastTransitionTime` changes only with the status.
  static ArrayNode merge(JsonNode known, List<NodeCondition> ours, Instant now) {
    Map<String, JsonNode> before = new LinkedHashMap<>();
    known.forEach(condition -> before.put(condition.path("type").asText(), condition));
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    before.values().stream().filter(one -> isForeign(one, ours)).forEach(list::add);
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    for (NodeCondition condition : ours) {
      JsonNode old = before.getOrDefault(condition.type(), MissingNode.getInstance());
      boolean same = old.path("status").asText().equals(condition.status());
      ObjectNode entry = list.addObject().put("type", condition.type());
      entry.put("status", condition.status());
      entry.put(HEARTBEAT, time);
      entry.put(TRANSITION, same ? old.path(TRANSITION).asText(time) : time);
      entry.put("reason", condition.reason()).put("message", condition.message());
    }
    return list;
  }

  private static boolean isForeign(JsonNode condition, List<NodeCondition> ours) {
    String type = condition.path("type").asText();
    return !type.startsWith(NodeCondition.RUNTIME)
        && ours.stream().noneMatch(own -> own.type().equals(type));
  }

  /// Whether two statuses differ at most in heartbeat times. Numbers are compared by value: ours
  /// and the server's may have other JSON types.
  static boolean saySame(ObjectNode one, ObjectNode other) {
    return withoutHeartbeats(one).equals(ConditionList::compare, withoutHeartbeats(other));
  }

  private static int compare(JsonNode one, JsonNode other) {
    if (one.isIntegralNumber() && other.isIntegralNumber()) {
      return one.bigIntegerValue().compareTo(other.bigIntegerValue());
    }
    return one.equals(other) ? 0 : 1;
  }

  private static JsonNode withoutHeartbeats(ObjectNode node) {
    JsonNode status = node.path("status").deepCopy();
    for (JsonNode condition : status.path("conditions")) {
      ((ObjectNode) condition).remove(HEARTBEAT);
    }
    return status;
  }
}
