package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;

/// The desired number of pods, and how far a rollout may exceed and fall below it.
///
/// @param surge maximum pods above the desired number
/// @param unavailable maximum unavailable pods below it
record RolloutStrategy(int wanted, boolean recreate, int surge, int unavailable) {
  static RolloutStrategy of(JsonNode deployment) {
    JsonNode spec = deployment.path("spec");
    int wanted = spec.path("replicas").asInt(1);
    if (spec.path("strategy").path("type").asText().equals("Recreate")) {
      return new RolloutStrategy(wanted, true, 0, wanted);
    }
    JsonNode rolling = spec.path("strategy").path("rollingUpdate");
    int surge = part(rolling.path("maxSurge"), wanted, true);
    int unavailable = part(rolling.path("maxUnavailable"), wanted, false);
    // Both may round to zero; then the rollout could never proceed.
    boolean stuck = surge == 0 && unavailable == 0;
    return new RolloutStrategy(wanted, false, surge, Math.min(wanted, stuck ? 1 : unavailable));
  }

  /// A number, or a percentage of the whole. Upstream rounds a surge up and an unavailability down.
  static int part(JsonNode value, int whole, boolean up) {
    String text = value.asText("25%");
    if (!text.endsWith("%")) {
      return Integer.parseInt(text);
    }
    int percent = Integer.parseInt(text.substring(0, text.length() - 1));
    return up ? Math.ceilDiv(percent * whole, 100) : percent * whole / 100;
  }

  int most() {
    return recreate || wanted == 0 ? wanted : wanted + surge;
  }

  int leastAvailable() {
    return wanted - unavailable;
  }
}
