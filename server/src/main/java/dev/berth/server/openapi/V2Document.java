package dev.berth.server.openapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.server.json.Json;
import dev.berth.server.protobuf.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Writes the one OpenAPI 2 document, as JSON or in the protobuf form of it.
final class V2Document {
  private final PathWriter paths = new PathWriter(Dialect.V2);
  private final List<Endpoint> endpoints;
  private final Definitions definitions;
  private final String version;

  V2Document(Collection<Endpoint> endpoints, Definitions definitions, String version) {
    this.endpoints = List.copyOf(endpoints);
    this.definitions = definitions;
    this.version = version;
  }

  void writeJson(OutputStream out) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("swagger", "2.0");
      json.writeFieldName("info");
      Json.write(json, Json.object().put("title", DocumentHead.TITLE).put("version", version));
      json.writeObjectFieldStart("paths");
      for (Endpoint endpoint : endpoints) {
        json.writeFieldName(endpoint.path());
        Json.write(json, paths.path(endpoint));
      }
      json.writeEndObject();
      json.writeObjectFieldStart("definitions");
      for (String name : names()) {
        json.writeFieldName(name);
        Json.write(json, definitions.definition(name));
      }
      json.writeEndObject();
      json.writeFieldName("securityDefinitions");
      Json.write(json, DocumentHead.securitySchemes());
      json.writeEndObject();
    }
  }

  void writeProtobuf(OutputStream out) throws IOException {
    GnosticWriter gnostic = new GnosticWriter();
    Message document = new Message();
    document.string(1, "2.0");
    document.message(2, new Message().string(1, DocumentHead.TITLE).string(2, version));
    Message allPaths = new Message();
    for (Endpoint endpoint : endpoints) {
      allPaths.message(
          2,
          new Message()
              .string(1, endpoint.path())
              .message(2, gnostic.pathItem(paths.path(endpoint))));
    }
    document.message(8, allPaths);
    Message allDefinitions = new Message();
    for (String name : names()) {
      allDefinitions.message(
          1,
          new Message().string(1, name).message(2, gnostic.schema(definitions.definition(name))));
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
