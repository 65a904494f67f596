package dev.berth.server.openapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Writes OpenAPI 3 documents, one per group version.
final class V3Documents {
  private final JsonFactory factory = new JsonFactory();
  private final PathWriter paths = new PathWriter(OpenApiVersion.V3);
  private final OpenApiDefinitions definitions;
  private final String version;

  V3Documents(OpenApiDefinitions definitions, String version) {
    this.definitions = definitions;
    this.version = version;
  }

  CompressedDocument document(List<OpenApiPath> endpoints) {
    return CompressedDocument.of(out -> write(endpoints, out));
  }

  private void write(List<OpenApiPath> endpoints, OutputStream out) throws IOException {
    NavigableSet<String> roots = new TreeSet<>();
    endpoints.forEach(endpoint -> endpoint.definitions().forEach(roots::add));
    try (JsonGenerator json = factory.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("openapi", "3.0.0");
      json.writeFieldName("info");
      JsonTrees.write(
          json, JsonTrees.object().put("title", DocumentHead.TITLE).put("version", version));
      json.writeObjectFieldStart("paths");
      for (OpenApiPath endpoint : endpoints) {
        json.writeFieldName(endpoint.path());
        JsonTrees.write(json, paths.path(endpoint));
      }
      json.writeEndObject();
      json.writeObjectFieldStart("components");
      json.writeObjectFieldStart("schemas");
      for (String name : definitions.closure(roots)) {
        json.writeFieldName(name);
        JsonTrees.write(json, definitions.definition(name));
      }
      json.writeEndObject();
      json.writeFieldName("securitySchemes");
      JsonTrees.write(json, DocumentHead.securitySchemes());
      json.writeEndObject();
      json.writeEndObject();
    }
  }
}
