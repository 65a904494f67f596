package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.protobuf.MessageWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Encodes parts of an OpenAPI 2 document as messages of gnostic's `openapi.v2`, as far as the
/// documents here use it.
///
/// The field numbers are those of the public protocol; extensions are YAML text, of which JSON is a
/// subset.
///
/// kubectl before 1.27 and libraries of that time only read this form. Its message names fields by
/// number, so each number below must match `OpenAPIv2.proto`.
final class GnosticWriter {
  private static final Map<String, Integer> METHODS =
      Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "options", 6, "head", 7, "patch", 8);

  MessageWriter pathItem(JsonNode item) {
    MessageWriter message = new MessageWriter();
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

  private MessageWriter operation(JsonNode operation) {
    MessageWriter message = new MessageWriter();
    strings(message, 1, operation.path("tags"));
    message.text(3, operation.path("description").asText(""));
    message.text(5, operation.path("operationId").asText(""));
    strings(message, 6, operation.path("produces"));
    strings(message, 7, operation.path("consumes"));
    operation.path("parameters").forEach(one -> message.message(8, parameter(one)));
    MessageWriter responses = new MessageWriter();
    operation
        .path("responses")
        .properties()
        .forEach(
            entry ->
                responses.message(
                    1,
                    new MessageWriter()
                        .string(1, entry.getKey())
                        .message(2, new MessageWriter().message(1, response(entry.getValue())))));
    message.message(9, responses);
    strings(message, 10, operation.path("schemes"));
    extensions(message, 13, operation);
    return message;
  }

  private MessageWriter response(JsonNode response) {
    MessageWriter message = new MessageWriter().text(1, response.path("description").asText(""));
    if (response.has("schema")) {
      message.message(2, new MessageWriter().message(1, schema(response.get("schema"))));
    }
    return message;
  }

  /// A `ParametersItem`: its `parameter`, which is a body or a path or query parameter.
  private MessageWriter parameter(JsonNode parameter) {
    String in = parameter.path("in").asText();
    MessageWriter wrapped =
        in.equals("body")
            ? new MessageWriter().message(1, bodyParameter(parameter))
            : new MessageWriter()
                .message(
                    2,
                    in.equals("path")
                        ? new MessageWriter().message(4, simpleParameter(parameter, List.of(5, 19)))
                        : new MessageWriter()
                            .message(3, simpleParameter(parameter, List.of(6, 20))));
    return new MessageWriter().message(1, wrapped);
  }

  private MessageWriter bodyParameter(JsonNode parameter) {
    return new MessageWriter()
        .text(1, parameter.path("description").asText(""))
        .string(2, parameter.path("name").asText())
        .string(3, "body")
        .bool(4, parameter.path("required").asBoolean())
        .message(5, schema(parameter.path("schema")));
  }

  /// Path and query parameters differ in the numbers of `type` and `uniqueItems` only.
  private static MessageWriter simpleParameter(JsonNode parameter, List<Integer> typeAndUnique) {
    return new MessageWriter()
        .bool(1, parameter.path("required").asBoolean())
        .string(2, parameter.path("in").asText())
        .text(3, parameter.path("description").asText(""))
        .string(4, parameter.path("name").asText())
        .string(typeAndUnique.get(0), parameter.path("type").asText())
        .bool(typeAndUnique.get(1), parameter.path("uniqueItems").asBoolean());
  }

  MessageWriter schema(JsonNode schema) {
    MessageWriter message = new MessageWriter();
    message.text(1, schema.path("$ref").asText(""));
    message.text(2, schema.path("format").asText(""));
    message.text(4, schema.path("description").asText(""));
    strings(message, 19, schema.path("required"));
    if (schema.has("additionalProperties")) {
      message.message(
          21, new MessageWriter().message(1, schema(schema.get("additionalProperties"))));
    }
    if (schema.has("type")) {
      message.message(22, new MessageWriter().string(1, schema.get("type").asText()));
    }
    if (schema.has("items")) {
      message.message(23, new MessageWriter().message(1, schema(schema.get("items"))));
    }
    if (schema.has("properties")) {
      MessageWriter properties = new MessageWriter();
      schema
          .get("properties")
          .properties()
          .forEach(entry -> properties.message(1, named(entry.getKey(), schema(entry.getValue()))));
      message.message(25, properties);
    }
    extensions(message, 31, schema);
    return message;
  }

  private static MessageWriter named(String name, MessageWriter value) {
    return new MessageWriter().string(1, name).message(2, value);
  }

  private static void strings(MessageWriter message, int field, JsonNode list) {
    list.forEach(value -> message.string(field, value.asText()));
  }

  private static void extensions(MessageWriter message, int field, JsonNode node) {
    node.properties().stream()
        .filter(entry -> entry.getKey().startsWith("x-"))
        .forEach(
            entry ->
                message.message(
                    field,
                    named(
                        entry.getKey(),
                        new MessageWriter()
                            .string(
                                2,
                                new String(
                                    JsonTrees.bytes(entry.getValue()), StandardCharsets.UTF_8)))));
  }
}
