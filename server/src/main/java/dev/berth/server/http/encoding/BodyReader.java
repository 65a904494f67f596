package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.json.YamlTrees;
import dev.berth.server.patch.GoFormat;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/// Decodes request bodies by their content type.
///
/// The reader only decodes; unknown fields and types are checked by `BodyDecoder` and
/// `ObjectDecoder`. The audit record gets the body as it was sent, before defaults and admission.
public final class BodyReader {
  /// Bounds the part of an invalid body that an error shows.
  private static final int SHOWN_BYTES = 30;

  /// The Go type that upstream decodes `apiVersion` and `kind` into; its error messages contain it.
  private static final String TYPE_STRUCT =
      "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
          + " \"json:\\\"kind,omitempty\\\"\" }";

  private final BinaryFormat protobuf;

  public BodyReader(BinaryFormat protobuf) {
    this.protobuf = protobuf;
  }

  /// Decodes one object of a known type.
  ///
  /// @param kind the name of the type in error messages
  public RequestBody read(ServerExchange exchange, ObjectType type, String kind)
      throws IOException {
    String mediaType = mediaType(exchange);
    return decoded(type, kind, mediaType, exchange.body()).with(exchange.audit());
  }

  private RequestBody decoded(ObjectType type, String kind, String mediaType, byte[] bytes) {
    return switch (mediaType) {
      case "", "application/json" -> parsed(bytes, kind, false);
      case "application/yaml" -> parsed(bytes, kind, true);
      case "application/vnd.kubernetes.protobuf" ->
          new RequestBody(protobuf.decode(type, bytes), List.of());
      default ->
          throw ApiException.unsupportedMediaType(
              "the body of the request was in an unknown format - accepted media types include:"
                  + " application/json, application/yaml, application/vnd.kubernetes.protobuf");
    };
  }

  /// `null` is an empty object, as for Go's decoder.
  private static RequestBody parsed(byte[] bytes, String kind, boolean yaml) {
    JsonTrees.Parsed parsed = yaml ? yaml(bytes, kind) : json(bytes, kind);
    return switch (parsed.tree()) {
      case ObjectNode object -> new RequestBody(typed(object, bytes, kind), parsed.duplicates());
      case NullNode _ -> new RequestBody(JsonTrees.object(), List.of());
      default ->
          throw withoutType(
              bytes,
              kind,
              "json: cannot unmarshal %s into Go value of type %s"
                  .formatted(GoFormat.jsonWord(parsed.tree()), TYPE_STRUCT));
    };
  }

  private static JsonTrees.Parsed json(byte[] bytes, String kind) {
    try {
      return JsonTrees.parse(bytes);
    } catch (JsonSyntaxException e) {
      throw withoutType(bytes, kind, String.valueOf(e.getMessage()));
    }
  }

  private static JsonTrees.Parsed yaml(byte[] bytes, String kind) {
    try {
      return YamlTrees.parse(bytes);
    } catch (JsonSyntaxException e) {
      throw unrecognized(bytes, kind, String.valueOf(e.getMessage()));
    }
  }

  /// `apiVersion` and `kind` must be strings if they are present.
  ///
  /// Upstream reads both fields before anything else, so their errors come first.
  private static ObjectNode typed(ObjectNode object, byte[] bytes, String kind) {
    for (String field : List.of("apiVersion", "kind")) {
      JsonNode value = object.path(field);
      if (!value.isTextual() && !value.isMissingNode() && !value.isNull()) {
        throw withoutType(
            bytes,
            kind,
            "json: cannot unmarshal %s into Go struct field .%s of type string"
                .formatted(GoFormat.jsonWord(value), field));
      }
    }
    return object;
  }

  private static ApiException withoutType(byte[] bytes, String kind, String why) {
    return unrecognized(bytes, kind, "couldn't get version/kind; json parse error: " + why);
  }

  private static ApiException unrecognized(byte[] bytes, String kind, String why) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type %s): %s (%s)"
            .formatted(kind, why, shown(bytes)));
  }

  /// The first bytes of a body for an error message: text when it looks like JSON, else
  /// hexadecimal.
  private static String shown(byte[] bytes) {
    if (bytes.length == 0) {
      return "<empty>";
    }
    byte[] head = Arrays.copyOf(bytes, Math.min(bytes.length, SHOWN_BYTES));
    String text =
        head[0] == '{' ? new String(head, StandardCharsets.UTF_8) : HexFormat.of().formatHex(head);
    return bytes.length > head.length ? text + " ..." : text;
  }

  /// Decodes an optional body with options, as DELETE accepts it.
  ///
  /// kubectl and client-go send DeleteOptions as a body, curl users usually send none.
  public Optional<JsonNode> readOptional(ServerExchange exchange, ObjectType type)
      throws IOException {
    byte[] bytes = exchange.body();
    if (bytes.length == 0) {
      return Optional.empty();
    }
    ObjectNode options =
        switch (mediaType(exchange)) {
          case "application/vnd.kubernetes.protobuf" ->
              requireKind(type, protobuf.decode(type, bytes));
          case "application/yaml" -> options(type, parsed(bytes, type.simpleName(), true));
          // Some clients send DELETE bodies without a content type.
          default -> options(type, parsed(bytes, type.simpleName(), false));
        };
    exchange.audit().requestObject(options);
    return Optional.of(options);
  }

  /// A grace period that is not a number is an error; ignoring it would delete with the default
  /// period.
  private static ObjectNode options(ObjectType type, RequestBody body) {
    try {
      return new TreeNormalizer(new ArrayList<>()).normalize(type, requireKind(type, body.tree()));
    } catch (WrongTypeException e) {
      throw ApiException.badRequest(
          "%1$s in version \"%2$s\" cannot be handled as a %1$s: %3$s"
              .formatted(type.simpleName(), type.version(), e.getMessage()));
    }
  }

  /// A body with the object itself is an error: the client means something else than a delete. The
  /// version is not compared, because every group has its own version of DeleteOptions.
  private static ObjectNode requireKind(ObjectType type, ObjectNode options) {
    String kind = options.path("kind").asText("");
    if (kind.isEmpty() || kind.equals(type.simpleName())) {
      return options;
    }
    String apiVersion = options.path("apiVersion").asText("");
    throw ApiException.badRequest(
        ("%1$s in version \"%2$s\" cannot be handled as a %3$s: no kind \"%1$s\" is registered for"
                + " version \"%2$s\"")
            .formatted(kind, apiVersion, type.simpleName()));
  }

  public PatchBody readPatch(ServerExchange exchange) throws IOException {
    String mediaType = mediaType(exchange);
    for (PatchBody.Type type : PatchBody.Type.values()) {
      if (type.mediaType().equals(mediaType)) {
        PatchBody patch = patch(type, exchange.body());
        exchange.audit().requestPatch(patch.patch());
        return patch;
      }
    }
    throw new ApiException(
        new dev.berth.server.errors.ApiStatus(
            415,
            "UnsupportedMediaType",
            "415: Unsupported Media Type",
            dev.berth.server.errors.ApiStatus.Details.EMPTY));
  }

  private static PatchBody patch(PatchBody.Type type, byte[] bytes) {
    try {
      JsonTrees.Parsed parsed =
          type == PatchBody.Type.APPLY ? YamlTrees.parse(bytes) : JsonTrees.parse(bytes);
      JsonNode tree = parsed.tree();
      // To Go's decoder `null` is an empty map, or list.
      JsonNode nothing = type == PatchBody.Type.JSON ? JsonTrees.array() : JsonTrees.object();
      return new PatchBody(type, tree.isNull() ? nothing : tree, parsed.duplicates());
    } catch (JsonSyntaxException e) {
      throw ApiException.badRequest(
          type == PatchBody.Type.APPLY
              ? "error decoding YAML: error converting YAML to JSON: " + e.getMessage()
              : "error decoding patch: " + e.getMessage());
    }
  }

  private static String mediaType(ServerExchange exchange) {
    String header = exchange.header(HttpHeader.CONTENT_TYPE);
    int semicolon = header.indexOf(';');
    return (semicolon < 0 ? header : header.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
