package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPhase;

/// A pod with the parts of its state that decide what the scheduler does with it.
///
/// @param node where it is, empty while it has no place
/// @param isFinished whether it will never run again and so takes nothing from its node
/// @param refusal the message of its PodScheduled=False condition, empty for none
public record ObservedPod(
    PodInfo pod, String node, boolean isFinished, boolean isBeingDeleted, String refusal) {
  public static ObservedPod parse(JsonNode tree) {
    JsonNode status = tree.path("status");
    String phase = status.path("phase").asText();
    return new ObservedPod(
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
