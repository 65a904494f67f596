package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;

/// The `info` part of every document.
final class DocumentHead {
  /// Some clients compare the title, so it is upstream's.
  static final String TITLE = "Kubernetes";

  private DocumentHead() {}

  /// These versions of OpenAPI cannot describe client certificates, so only tokens appear.
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
