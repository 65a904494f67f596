package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All OpenAPI documents, generated on the first request and kept compressed.
///
/// The documents depend only on the served kinds, so each is made once. They are not made at start,
/// because many servers are never asked for them.
public final class OpenApi {
  /// The `Content-Type` of v2 as protobuf; clients request it with `v2@v1.0` instead of `v2.v1.0`.
  public static final String V2_PROTOBUF_TYPE =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String INDEX = "";

  private final ObjectSchema schema;
  private final ServedKinds kinds;
  private final String version;
  private final LazyValue<Map<String, CompressedDocument>> v3 = new LazyValue<>(this::makeV3);
  private final LazyValue<CompressedDocument> v2Json = new LazyValue<>(this::makeV2Json);
  private final LazyValue<CompressedDocument> v2Protobuf = new LazyValue<>(this::makeV2Protobuf);

  /// Generates nothing yet.
  ///
  /// @param version the server's version, e.g. `v1.32.0`
  public OpenApi(ObjectSchema schema, ServedKinds kinds, String version) {
    this.schema = schema;
    this.kinds = kinds;
    this.version = version;
  }

  /// `/openapi/v3`: the paths of all v3 documents with their digests.
  public CompressedDocument v3Index() {
    return v3(INDEX).orElseThrow();
  }

  /// `/openapi/v3/<path>`.
  ///
  /// @param path without a leading slash, e.g. `apis/apps/v1`
  public Optional<CompressedDocument> v3(String path) {
    return Optional.ofNullable(v3.get().get(path));
  }

  /// The URL of a v3 document with this content.
  public static String v3Address(String path, CompressedDocument document) {
    return "/openapi/v3/" + path + "?hash=" + document.hash();
  }

  /// `/openapi/v2` as JSON.
  public CompressedDocument v2Json() {
    return v2Json.get();
  }

  /// `/openapi/v2` as protobuf, for kubectl before 1.27 and many libraries.
  public CompressedDocument v2Protobuf() {
    return v2Protobuf.get();
  }

  private Map<String, CompressedDocument> makeV3() {
    Map<String, CompressedDocument> documents = new HashMap<>();
    ObjectNode index = JsonTrees.object();
    ObjectNode paths = index.putObject("paths");
    V3Documents maker = new V3Documents(definitions(OpenApiVersion.V3), version);
    new OpenApiPaths(kinds)
        .byDocument()
        .forEach(
            (path, endpoints) -> {
              CompressedDocument document = maker.document(endpoints);
              documents.put(path, document);
              paths.putObject(path).put("serverRelativeURL", v3Address(path, document));
            });
    documents.put(INDEX, CompressedDocument.of(out -> out.write(JsonTrees.bytes(index))));
    return Map.copyOf(documents);
  }

  private CompressedDocument makeV2Json() {
    return CompressedDocument.of(v2()::writeJson);
  }

  private CompressedDocument makeV2Protobuf() {
    return CompressedDocument.of(v2()::writeProtobuf);
  }

  private V2Document v2() {
    Map<String, OpenApiPath> endpoints = new TreeMap<>();
    new OpenApiPaths(kinds)
        .byDocument()
        .values()
        .forEach(list -> list.forEach(endpoint -> endpoints.put(endpoint.path(), endpoint)));
    return new V2Document(endpoints.values(), definitions(OpenApiVersion.V2), version);
  }

  private OpenApiDefinitions definitions(OpenApiVersion dialect) {
    return new OpenApiDefinitions(dialect, schema, new GvkIndex(kinds), OpenApiDescriptions.load());
  }
}
