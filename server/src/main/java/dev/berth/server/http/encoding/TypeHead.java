package dev.berth.server.http.encoding;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cached constant bytes around stored JSON, such as `{"kind":"Pod","apiVersion":"v1",`.
///
/// Names of kinds and versions contain no characters that JSON escapes.
final class TypeHead {
  /// Bounded by the number of served versions.
  private static final Map<ServedVersion, TypeHead> HEADS = new ConcurrentHashMap<>();

  private final byte[] object;
  private final byte[] list;

  private TypeHead(String kind, String apiVersion) {
    object = of(kind, apiVersion);
    list =
        bytes("{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":");
  }

  static TypeHead of(ResourceKind kind, ServedVersion version) {
    return HEADS.computeIfAbsent(version, v -> new TypeHead(kind.names().kind(), v.apiVersion()));
  }

  /// Followed by stored JSON from its second byte on.
  byte[] object() {
    return object;
  }

  /// Followed by the list's metadata, `,"items":[`, items, `]}`.
  byte[] list() {
    return list;
  }

  /// `{"kind":"Pod","apiVersion":"v1",`
  static byte[] of(String kind, String apiVersion) {
    return bytes("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",");
  }

  static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.US_ASCII);
  }
}
