package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;

/// A RuntimeClass: its name and the handler it stands for.
public record RuntimeClassInfo(String name, String handler) {
  public static RuntimeClassInfo parse(JsonNode tree) {
    return new RuntimeClassInfo(
        tree.path("metadata").path("name").asText(), tree.path("handler").asText());
  }
}
