package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.Json;
import dev.berth.server.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Turns pieces of an OpenAPI 2 document into the messages of gnostic's `openapi.v2`, as far as the
/// documents here use it.
///
/// The numbers are those of that public protocol; extensions travel as YAML text, of which JSON is
/// a part.
final class GnosticWriter {
  private static final Map<String, Integer> METHODS =
      Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "options", 6, "head", 7, "patch", 8);

  Message pathItem(JsonNode item) {
    Message message = new Message();
    item.properties()
        .forEach(
            entry -> {
              Integer field = METHODS.get(entry.getKey());
              if (field != null) {
                message.message(field, operation(entry.getValue()));
              }
            });
    item.path("parameters").forEach(one -> message.message(9, parameter(one)));
    return message;
  }

  private Message operation(JsonNode operation) {
    Message message = new Message();
    strings(message, 1, operation.path("tags"));
    message.text(3, operation.path("description").asText(""));
    message.text(5, operation.path("operationId").asText(""));
    strings(message, 6, operation.path("produces"));
    strings(message, 7, operation.path("consumes"));
    operation.path("parameters").forEach(one -> message.message(8, parameter(one)));
    Message responses = new Message();
    operation
        .path("responses")
        .properties()
        .forEach(
            entry ->
                responses.message(
                    1,
                    new Message()
                        .string(1, entry.getKey())
                        .message(2, new Message().message(1, response(entry.getValue())))));
    message.message(9, responses);
    strings(message, 10, operation.path("schemes"));
    extensions(message, 13, operation);
    return message;
  }

  private Message response(JsonNode response) {
    Message message = new Message().text(1, response.path("description").asText(""));
    if (response.has("schema")) {
      message.message(2, new Message().message(1, schema(response.get("schema"))));
    }
    return message;
  }

  /// A `ParametersItem`: its `parameter`, which is a body or a path or query parameter.
  private Message parameter(JsonNode parameter) {
    String in = parameter.path("in").asText();
    Message wrapped =
        in.equals("body")
            ? new Message().message(1, bodyParameter(parameter))
            : new Message()
                .message(
                    2,
                    in.equals("path")
                        ? new Message().message(4, simpleParameter(parameter, List.of(5, 19)))
                        : new Message().message(3, simpleParameter(parameter, List.of(6, 20))));
    return new Message().message(1, wrapped);
  }

  private Message bodyParameter(JsonNode parameter) {
    return new Message()
        .text(1, parameter.path("description").asText(""))
        .string(2, parameter.path("name").asText())
        .string(3, "body")
        .bool(4, parameter.path("required").asBoolean())
        .message(5, schema(parameter.path("schema")));
  }

  /// Path and query parameters differ in the numbers of `type` and `uniqueItems` only.
  private static Message simpleParameter(JsonNode parameter, List<Integer> typeAndUnique) {
    return new Message()
        .bool(1, parameter.path("required").asBoolean())
        .string(2, parameter.path("in").asText())
        .text(3, parameter.path("description").asText(""))
        .string(4, parameter.path("name").asText())
        .string(typeAndUnique.get(0), parameter.path("type").asText())
        .bool(typeAndUnique.get(1), parameter.path("uniqueItems").asBoolean());
  }

  Message schema(JsonNode schema) {
    Message message = new Message();
    message.text(1, schema.path("$ref").asText(""));
    message.text(2, schema.path("format").asText(""));
    message.text(4, schema.path("description").asText(""));
    strings(message, 19, schema.path("required"));
    if (schema.has("additionalProperties")) {
      message.message(21, new Message().message(1, schema(schema.get("additionalProperties"))));
    }
    if (schema.has("type")) {
      message.message(22, new Message().string(1, schema.get("type").asText()));
    }
    if (schema.has("items")) {
      message.message(23, new Message().message(1, schema(schema.get("items"))));
    }
    if (schema.has("properties")) {
      Message properties = new Message();
      schema
          .get("properties")
          .properties()
          .forEach(entry -> properties.message(1, named(entry.getKey(), schema(entry.getValue()))));
      message.message(25, properties);
    }
    extensions(message, 31, schema);
    return message;
  }

  private static Message named(String name, Message value) {
    return new Message().string(1, name).message(2, value);
  }

  private static void strings(Message message, int field, JsonNode list) {
    list.forEach(value -> message.string(field, value.asText()));
  }

  private static void extensions(Message message, int field, JsonNode node) {
    node.properties().stream()
        .filter(entry -> entry.getKey().startsWith("x-"))
        .forEach(
            entry ->
                message.message(
                    field,
                    named(
                        entry.getKey(),
                        new Message()
                            .string(
                                2,
                                new String(
                                    Json.bytes(entry.getValue()), StandardCharsets.UTF_8)))));
  }
}
