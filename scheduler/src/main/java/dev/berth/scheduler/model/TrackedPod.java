package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPhase;

/// A pod with the state that decides whether the scheduler queues it, counts it, or ignores it.
///
/// @param node the node that it is bound to, empty while unbound
/// @param isFinished whether it has ended for good, so that it takes nothing from its node
/// @param refusal the message of its PodScheduled=False condition, empty for none
public record TrackedPod(
    PodInfo pod, String node, boolean isFinished, boolean isBeingDeleted, String refusal) {
  public static TrackedPod parse(JsonNode tree) {
    JsonNode status = tree.path("status");
    String phase = status.path("phase").asText();
    return new TrackedPod(
        PodInfo.parse(tree),
        tree.path("spec").path("nodeName").asText(""),
        PodPhase.isFinished(phase),
        tree.path("metadata").has("deletionTimestamp"),
        refusal(status.path("conditions")));
  }

  private static String refusal(JsonNode conditions) {
    for (JsonNode condition : conditions) {
      if (condition.path("type").asText().equals("PodScheduled")
          && condition.path("status").asText().equals("False")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }

  public boolean isWaiting() {
    return node.isEmpty() && !isFinished && !isBeingDeleted;
  }

  public boolean takesRoom() {
    return !node.isEmpty() && !isFinished;
  }
}
