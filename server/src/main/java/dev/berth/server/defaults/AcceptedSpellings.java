package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Converts alternative spellings of KEPs and seed documents, which the typed schema does not have.
///
/// Runs before normalization.
///
/// The typed schema would refuse such a value as a wrong type, so it must be converted before.
public final class AcceptedSpellings {
  private AcceptedSpellings() {}

  /// Converts the spellings in place.
  ///
  /// @param pod a pod or a pod template, as the client sent it
  public static void accept(ObjectNode pod) {
    if (pod.get("spec") instanceof ObjectNode spec) {
      // KEP-1301 writes `os: windows`, upstream's field is an object.
      JsonNode system = spec.get("os");
      if (system != null && system.isTextual()) {
        spec.putObject("os").put("name", system.textValue());
      }
    }
  }
}
