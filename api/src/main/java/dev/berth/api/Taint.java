package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// A taint: it repels pods that do not tolerate it from a node.
public record Taint(String key, String value, Effect effect) {
  /// The effect of a taint on pods that do not tolerate it.
  public enum Effect {
    NO_SCHEDULE,
    PREFER_NO_SCHEDULE,
    NO_EXECUTE;

    static Effect of(String text) {
      return switch (text) {
        case "PreferNoSchedule" -> PREFER_NO_SCHEDULE;
        case "NoExecute" -> NO_EXECUTE;
        // The API accepts three effects only.
        default -> NO_SCHEDULE;
      };
    }
  }

  public static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

  public static Taint parse(JsonNode tree) {
    return new Taint(
        tree.path("key").asText(),
        tree.path("value").asText(),
        Effect.of(tree.path("effect").asText()));
  }

  public boolean isHard() {
    return effect != Effect.PREFER_NO_SCHEDULE;
  }

  /// Whether the tolerations of a pod's specification cover this taint.
  public boolean isTolerated(JsonNode tolerations) {
    return tolerations.valueStream().map(Toleration::parse).anyMatch(one -> one.tolerates(this));
  }

  public boolean isTolerated(List<Toleration> tolerations) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(this)) {
        return true;
      }
    }
    return false;
  }
}
