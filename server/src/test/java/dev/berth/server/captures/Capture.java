package dev.berth.server.captures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One measured request with its answer.
record Capture(ObjectNode json) {
  static Capture parse(String line) {
    return new Capture((ObjectNode) JsonTrees.parseTrusted(line.getBytes(StandardCharsets.UTF_8)));
  }

  String label() {
    return json.path("label").asText();
  }

  String method() {
    return json.path("method").asText();
  }

  String path() {
    return json.path("path").asText();
  }

  String contentType() {
    return json.path("request_content_type").asText();
  }

  String accept() {
    return json.path("accept").asText();
  }

  int status() {
    return json.path("status").asInt();
  }

  JsonNode body() {
    return json.path("body");
  }

  /// The body to send: a JSON tree, or text that is sent as it stands.
  String requestBody() {
    JsonNode body = json.path("request_body");
    return body.isTextual() ? body.textValue() : body.isNull() ? "" : body.toString();
  }

  boolean isWatch() {
    return path().contains("watch=1") || path().startsWith("/api/v1/watch/");
  }

  List<String> warnings() {
    JsonNode warnings = json.path("headers").path("Warning");
    return warnings.isArray()
        ? warnings.valueStream().map(JsonNode::asText).toList()
        : warnings.isTextual() ? List.of(warnings.asText()) : List.of();
  }
}
