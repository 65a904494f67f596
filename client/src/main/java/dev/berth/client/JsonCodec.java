package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/// Objects as JSON trees, always with their `apiVersion` and `kind`.
record JsonCodec(ResourceType type) implements ObjectCodec<ObjectNode> {
  @Override
  public ObjectNode read(JsonParser parser) throws IOException {
    ObjectNode object = ClientJson.MAPPER.readTree(parser);
    // The server omits both in the items of a list.
    if (!object.has("kind")) {
      object.put("kind", type.kind());
      object.put("apiVersion", type.apiVersion());
    }
    return object;
  }

  @Override
  public byte[] write(ObjectNode object) {
    return ClientJson.bytes(object);
  }

  @Override
  public ObjectKey key(ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  @Override
  public String resourceVersion(ObjectNode object) {
    return object.path("metadata").path("resourceVersion").asText();
  }
}
