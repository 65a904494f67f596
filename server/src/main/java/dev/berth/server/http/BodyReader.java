package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.Json;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.Yaml;
import dev.berth.server.resources.Body;
import dev.berth.server.resources.PatchBody;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/// Reads bodies by their content type.
final class BodyReader {
  private static final int SHOWN_BYTES = 1024;

  private final BinaryFormat protobuf;

  BodyReader(BinaryFormat protobuf) {
    this.protobuf = protobuf;
  }

  /// An object of a type.
  ///
  /// @param kind the word for it in messages
  Body read(Exchange exchange, ObjectType type, String kind) throws IOException {
    String mediaType = mediaType(exchange);
    byte[] bytes = exchange.body();
    return switch (mediaType) {
      case "", "application/json" -> parsed(bytes, kind, false);
      case "application/yaml" -> parsed(bytes, kind, true);
      case "application/vnd.kubernetes.protobuf" ->
          new Body(protobuf.decode(type, bytes), List.of());
      default ->
          throw ApiException.unsupportedMediaType(
              "the body of the request was in an unknown format - accepted media types include:"
                  + " application/json, application/yaml, application/vnd.kubernetes.protobuf");
    };
  }

  private static Body parsed(byte[] bytes, String kind, boolean yaml) {
    try {
      Json.Parsed parsed = yaml ? Yaml.parse(bytes) : Json.parse(bytes);
      if (parsed.tree() instanceof ObjectNode object) {
        return new Body(object, parsed.duplicates());
      }
      throw new JsonSyntaxException(
          "json: cannot unmarshal " + typeName(parsed.tree()) + " into Go value of type struct");
    } catch (JsonSyntaxException e) {
      throw ApiException.badRequest(
          "the object provided is unrecognized (must be of type %s): couldn't get version/kind; json parse error: %s (%s)"
              .formatted(kind, e.getMessage(), shown(bytes)));
    }
  }

  private static String typeName(JsonNode node) {
    return node.isArray() ? "array" : node.isTextual() ? "string" : "number";
  }

  private static String shown(byte[] bytes) {
    return bytes.length == 0
        ? "<empty>"
        : new String(bytes, 0, Math.min(bytes.length, SHOWN_BYTES), StandardCharsets.UTF_8);
  }

  /// Options in a body that may be missing, as DELETE has them.
  Optional<JsonNode> readOptional(Exchange exchange, ObjectType type) throws IOException {
    byte[] bytes = exchange.body();
    if (bytes.length == 0) {
      return Optional.empty();
    }
    return switch (mediaType(exchange)) {
      case "application/vnd.kubernetes.protobuf" -> Optional.of(protobuf.decode(type, bytes));
      case "application/yaml" -> Optional.of(parsed(bytes, type.simpleName(), true).tree());
      default -> Optional.of(parsed(bytes, type.simpleName(), false).tree());
    };
  }

  PatchBody readPatch(Exchange exchange) throws IOException {
    String mediaType = mediaType(exchange);
    for (PatchBody.Type type : PatchBody.Type.values()) {
      if (type.mediaType().equals(mediaType)) {
        return patch(type, exchange.body());
      }
    }
    throw new ApiException(
        new dev.berth.server.errors.Status(
            415,
            "UnsupportedMediaType",
            "415: Unsupported Media Type",
            dev.berth.server.errors.Status.Details.EMPTY));
  }

  private static PatchBody patch(PatchBody.Type type, byte[] bytes) {
    try {
      Json.Parsed parsed = type == PatchBody.Type.APPLY ? Yaml.parse(bytes) : Json.parse(bytes);
      return new PatchBody(type, parsed.tree(), parsed.duplicates());
    } catch (JsonSyntaxException e) {
      throw ApiException.badRequest("error decoding patch: " + e.getMessage());
    }
  }

  private static String mediaType(Exchange exchange) {
    String header = exchange.header(HttpHeader.CONTENT_TYPE);
    int semicolon = header.indexOf(';');
    return (semicolon < 0 ? header : header.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
