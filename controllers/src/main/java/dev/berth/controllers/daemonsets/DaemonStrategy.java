package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/// The update strategy of a DaemonSet.
final class DaemonStrategy {
  private DaemonStrategy() {}

  /// @param wanted how many nodes must have a pod; percentages refer to it
  static DaemonPlan.Rollout of(JsonNode set, String hash, int wanted) {
    JsonNode spec = set.path("spec");
    JsonNode strategy = spec.path("updateStrategy");
    Duration minimum = Duration.ofSeconds(spec.path("minReadySeconds").asLong());
    // Pods are replaced when a person deletes them: no limit, and no surge.
    if (strategy.path("type").asText().equals("OnDelete")) {
      return new DaemonPlan.Rollout(hash, -1, 0, minimum);
    }
    JsonNode bounds = strategy.path("rollingUpdate");
    int surge = number(bounds.path("maxSurge").asText("0"), wanted);
    int unavailable = number(bounds.path("maxUnavailable").asText("1"), wanted);
    // With both zero, the rollout could never proceed.
    return new DaemonPlan.Rollout(
        hash, surge > 0 ? unavailable : Math.max(1, unavailable), surge, minimum);
  }

  private static int number(String text, int wanted) {
    return text.endsWith("%")
        ? Math.ceilDiv(Integer.parseInt(text.substring(0, text.length() - 1)) * wanted, 100)
        : Integer.parseInt(text);
  }
}
