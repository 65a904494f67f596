package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.TruncatedText;
import java.util.List;

/// Bounds every text of a status that others wrote, such as runtimes and registries: messages of
/// the pod, its conditions and its containers' states.
final class StatusTexts {
  private static final List<String> BOUNDED = List.of("message", "reason");

  private StatusTexts() {}

  /// Changes the given tree.
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
