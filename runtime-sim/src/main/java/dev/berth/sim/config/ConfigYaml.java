package dev.berth.sim.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.api.YamlLimits;

/// Reads YAML; JSON is a subset of it. A key that occurs twice is a mistake: YAML parsers would use
/// one of the values and say nothing.
public final class ConfigYaml {
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          YamlLimits.factory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private ConfigYaml() {}

  /// An empty text is a missing node. A text that is not YAML is a mistake.
  public static JsonNode read(String text, ConfigErrors mistakes) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node == null || node.isNull() ? MissingNode.getInstance() : node;
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      mistakes.add(
          at == null ? "" : "line " + at.getLineNr(), String.valueOf(e.getOriginalMessage()));
      return MissingNode.getInstance();
    }
  }
}
