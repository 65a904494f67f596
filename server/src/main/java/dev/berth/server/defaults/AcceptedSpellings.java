package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Accepts spellings that the documents behind this project use and the typed schema does not.
///
/// Runs before the tree is brought into normal form.
public final class AcceptedSpellings {
  private AcceptedSpellings() {}

  /// Rewrites such spellings in place.
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
