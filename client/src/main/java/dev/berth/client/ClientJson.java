package dev.berth.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The one JSON mapper of the client.
///
/// Unknown properties are ignored: a newer server may send fields that the model does not have.
final class ClientJson {
  static final JsonMapper MAPPER =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  // Objects hold at most 3 MiB, so a string of a Secret may be longer than the
                  // parser allows by default for names and numbers but never longer than this.
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(16 << 20).build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private ClientJson() {}

  static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value, e);
    }
  }

  /// The object at a field, created when missing.
  static ObjectNode object(ObjectNode parent, String field) {
    JsonNode child = parent.get(field);
    return child instanceof ObjectNode node ? node : parent.putObject(field);
  }
}
