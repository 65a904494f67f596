package dev.berth.api;

import com.fasterxml.jackson.databind.JsonNode;

/// A toleration of a pod; an empty key or effect means any.
public record Toleration(String key, boolean exists, String value, String effect) {
  public static Toleration parse(JsonNode tree) {
    return new Toleration(
        tree.path("key").asText(),
        tree.path("operator").asText().equals("Exists"),
        tree.path("value").asText(),
        tree.path("effect").asText());
  }

  public boolean tolerates(Taint taint) {
    if (!effect.isEmpty() && Taint.Effect.of(effect) != taint.effect()) {
      return false;
    }
    // Without a key only `Exists` is valid, and it tolerates every taint.
    if (key.isEmpty()) {
      return exists;
    }
    return key.equals(taint.key()) && (exists || value.equals(taint.value()));
  }
}
