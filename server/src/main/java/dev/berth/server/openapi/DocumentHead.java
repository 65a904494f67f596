package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// What every document says of itself.
final class DocumentHead {
  /// Clients compare it in places, so it is upstream's.
  static final String TITLE = "Kubernetes";

  private DocumentHead() {}

  static ObjectNode securitySchemes() {
    ObjectNode schemes = JsonTrees.object();
    schemes
        .putObject("BearerToken")
        .put("type", "apiKey")
        .put("description", "Bearer token in the Authorization header")
        .put("name", "authorization")
        .put("in", "header");
    return schemes;
  }
}
