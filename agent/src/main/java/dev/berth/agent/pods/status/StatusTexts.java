package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.TruncatedText;
import java.util.List;

/// Bounds the texts in a status that runtimes and registries wrote: messages of the pod, its
/// conditions and container states.
final class StatusTexts {
  private static final List<String> BOUNDED = List.of("message", "reason");

  private StatusTexts() {}

  /// Shortens the texts of the given tree in place.
  static <T extends JsonNode> T bound(T tree) {
    if (tree instanceof ObjectNode object) {
      for (String field : BOUNDED) {
        if (object.path(field).isTextual()) {
          object.put(field, TruncatedText.of(object.get(field).textValue(), TruncatedText.MESSAGE));
        }
      }
    }
    tree.forEach(StatusTexts::bound);
    return tree;
  }
}
