package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.sim.call.CallRefusal;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Something that a registry has under the digest of its bytes: an index, a manifest, a
/// configuration.
record RegistryDocument(JsonNode json, String digest, long size) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static RegistryDocument of(byte[] bytes) {
    try {
      JsonNode json = JSON.readTree(bytes);
      if (!json.isObject()) {
        throw CallRefusal.unknown("the registry answered something that is no JSON object");
      }
      return new RegistryDocument(json, digestOf(bytes), bytes.length);
    } catch (IOException _) {
      throw CallRefusal.unknown("the registry answered something that is no JSON");
    }
  }

  /// Refuses bytes that are not those that were asked for, in containerd's words.
  RegistryDocument checked(String kind, String expected) {
    check(kind, digest, expected);
    return this;
  }

  static void check(String kind, String digest, String expected) {
    if (!digest.equals(expected)) {
      throw CallRefusal.precondition(
          "failed commit on ref \"%s-%s\": unexpected commit digest %s, expected %s: failed precondition"
              .formatted(kind, expected, digest, expected));
    }
  }

  /// The media type may be missing, so the list of manifests decides.
  boolean isIndex() {
    return json.path("manifests").isArray();
  }

  boolean isManifest() {
    return json.path("config").path("digest").isTextual() && json.path("layers").isArray();
  }

  private static String digestOf(byte[] bytes) {
    return "sha256:" + HexFormat.of().formatHex(sha256().digest(bytes));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
