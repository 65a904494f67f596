package dev.berth.server.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a namespace's labels for selectors.
public final class NamespaceLabels {
  private NamespaceLabels() {}

  public static Map<String, String> of(@Nullable ObjectNode namespace) {
    Map<String, String> labels = new HashMap<>();
    if (namespace != null) {
      for (Map.Entry<String, JsonNode> label :
          namespace.path("metadata").path("labels").properties()) {
        labels.put(label.getKey(), label.getValue().asText());
      }
    }
    return labels;
  }
}
