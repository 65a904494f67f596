package dev.berth.server.openapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.protobuf.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Writes the OpenAPI 2 document as JSON or protobuf.
///
/// It has the paths of all groups, so it is written as a stream; only its protobuf form is built in
/// memory.
final class V2Document {
  private final PathWriter paths = new PathWriter(OpenApiVersion.V2);
  private final List<OpenApiPath> endpoints;
  private final OpenApiDefinitions definitions;
  private final String version;

  V2Document(Collection<OpenApiPath> endpoints, OpenApiDefinitions definitions, String version) {
    this.endpoints = List.copyOf(endpoints);
    this.definitions = definitions;
    this.version = version;
  }

  void writeJson(OutputStream out) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("swagger", "2.0");
      json.writeFieldName("info");
      JsonTrees.write(
          json, JsonTrees.object().put("title", DocumentHead.TITLE).put("version", version));
      json.writeObjectFieldStart("paths");
      for (OpenApiPath endpoint : endpoints) {
        json.writeFieldName(endpoint.path());
        JsonTrees.write(json, paths.path(endpoint));
      }
      json.writeEndObject();
      json.writeObjectFieldStart("definitions");
      for (String name : names()) {
        json.writeFieldName(name);
        JsonTrees.write(json, definitions.definition(name));
      }
      json.writeEndObject();
      json.writeFieldName("securityDefinitions");
      JsonTrees.write(json, DocumentHead.securitySchemes());
      json.writeEndObject();
    }
  }

  void writeProtobuf(OutputStream out) throws IOException {
    GnosticWriter gnostic = new GnosticWriter();
    MessageWriter document = new MessageWriter();
    document.string(1, "2.0");
    document.message(2, new MessageWriter().string(1, DocumentHead.TITLE).string(2, version));
    MessageWriter allPaths = new MessageWriter();
    for (OpenApiPath endpoint : endpoints) {
      allPaths.message(
          2,
          new MessageWriter()
              .string(1, endpoint.path())
              .message(2, gnostic.pathItem(paths.path(endpoint))));
    }
    document.message(8, allPaths);
    MessageWriter allDefinitions = new MessageWriter();
    for (String name : names()) {
      allDefinitions.message(
          1,
          new MessageWriter()
              .string(1, name)
              .message(2, gnostic.schema(definitions.definition(name))));
    }
    document.message(9, allDefinitions);
    out.write(document.toByteArray());
  }

  private NavigableSet<String> names() {
    NavigableSet<String> roots = new TreeSet<>();
    endpoints.forEach(endpoint -> endpoint.definitions().forEach(roots::add));
    return definitions.closure(roots);
  }
}
