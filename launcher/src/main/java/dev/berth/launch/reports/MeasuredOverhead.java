package dev.berth.launch.reports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import java.util.ArrayList;
import java.util.List;

/// What sandboxes of a handler cost on one node beyond their containers, as its agent reports.
///
/// @param cpu empty until the agent has read it twice
record MeasuredOverhead(
    String node, String handler, int pods, String memory, String largestMemory, String cpu) {
  private static final String ANNOTATION = "berth.dev/sandbox-overhead";
  private static final JsonMapper MAPPER = new JsonMapper();

  /// Reads the annotations of Nodes. An annotation that somebody damaged counts as none.
  static List<MeasuredOverhead> read(List<ObjectNode> nodes) {
    List<MeasuredOverhead> found = new ArrayList<>();
    for (ObjectNode node : nodes) {
      JsonNode metadata = node.path("metadata");
      parsed(metadata.path("annotations").path(ANNOTATION).asText())
          .properties()
          .forEach(
              one ->
                  found.add(
                      new MeasuredOverhead(
                          metadata.path("name").asText(),
                          one.getKey(),
                          one.getValue().path("pods").asInt(),
                          one.getValue().path("memory").asText(),
                          one.getValue().path("largestMemory").asText(),
                          one.getValue().path("cpu").asText())));
    }
    return found;
  }

  private static JsonNode parsed(String text) {
    try {
      return MAPPER.readTree(text.isEmpty() ? "{}" : text);
    } catch (JsonProcessingException _) {
      return MAPPER.createObjectNode();
    }
  }

  long memoryBytes() {
    return value(memory).value();
  }

  long largestBytes() {
    return value(largestMemory).value();
  }

  long milliCores() {
    return value(cpu).milli();
  }

  private static Quantity value(String text) {
    return Quantity.parse(text).orElse(Quantity.ofMilli(0));
  }
}
