package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The `conditions` of a workload's status while they are being changed. Used by one thread; starts
/// with a copy, because the object may be in a cache.
public final class WorkloadConditions {
  private final ArrayNode all;
  private final String now;

  public WorkloadConditions(JsonNode before, Instant now) {
    this.all = JsonNodeFactory.instance.arrayNode();
    before.forEach(one -> all.add(one.deepCopy()));
    // The API has times in seconds; a finer one would differ from what the server returns.
    this.now = now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public JsonNode find(String type) {
    for (JsonNode one : all) {
      if (one.path("type").asText().equals(type)) {
        return one;
      }
    }
    return MissingNode.getInstance();
  }

  /// Sets a condition unless it is already so; lastTransitionTime changes with the status only.
  ///
  /// @param touch whether lastUpdateTime changes even if the condition does not
  public void set(String type, boolean status, String reason, String message, boolean touch) {
    JsonNode before = find(type);
    String word = status ? "True" : "False";
    boolean sameStatus = before.path("status").asText().equals(word);
    if (sameStatus && before.path("reason").asText().equals(reason) && !touch) {
      return;
    }
    ObjectNode next = JsonNodeFactory.instance.objectNode();
    next.put("type", type).put("status", word);
    next.put("lastUpdateTime", now);
    next.put(
        "lastTransitionTime", sameStatus ? before.path("lastTransitionTime").asText(now) : now);
    next.put("reason", reason).put("message", message);
    remove(type);
    all.add(next);
  }

  public void remove(String type) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).path("type").asText().equals(type)) {
        all.remove(i);
      }
    }
  }

  public ArrayNode all() {
    return all;
  }
}
