package dev.berth.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.TransportException;
import java.io.IOException;

/// Something that a registry has under the digest of its bytes: an index, a manifest, a
/// configuration.
public record RegistryDocument(JsonNode json, String digest, long size) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// @param source for messages, such as `registry example.com`
  static RegistryDocument parse(byte[] bytes, String source) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw notOne(source, "is not JSON", e);
    } catch (IOException e) {
      throw notOne(source, "cannot be read", e);
    }
    if (!json.isObject()) {
      throw notOne(source, "is not a JSON object", null);
    }
    return new RegistryDocument(json, ContentDigest.of(bytes), bytes.length);
  }

  private static TransportException notOne(
      String source, String why, @org.jspecify.annotations.Nullable Exception cause) {
    return new TransportException(
        FailureKind.NOT_A_MANIFEST, "what %s answers %s".formatted(source, why), cause);
  }

  /// The media type may be missing, so the list of manifests decides.
  public boolean isIndex() {
    return IndexReader.isIndex(json);
  }

  /// Of schema 2; the first schema has neither platforms nor a configuration.
  public boolean isManifest() {
    return json.path("config").path("digest").isTextual() && json.path("layers").isArray();
  }
}
