package dev.berth.server.http.encoding;

import java.io.IOException;
import java.io.OutputStream;

/// Extracts `PartialObjectMetadata` from stored JSON, in which metadata always comes first.
///
/// Metadata informers of garbage collection list every kind; copying a part of the bytes avoids a
/// tree for each object.
final class PartialBytes {
  private static final int METADATA = "{\"metadata\":".length();
  private static final byte[] V1 = head("v1");
  private static final byte[] V1BETA1 = head("v1beta1");

  private PartialBytes() {}

  static void write(OutputStream out, byte[] json, String version) throws IOException {
    out.write(version.equals("v1") ? V1 : V1BETA1);
    int end = objectEnd(json, METADATA);
    out.write(json, METADATA, end - METADATA);
    out.write('}');
  }

  private static byte[] head(String version) {
    return ByteChunks.join(
        TypeHead.of("PartialObjectMetadata", "meta.k8s.io/" + version),
        TypeHead.bytes("\"metadata\":"));
  }

  /// Returns the index after the object that starts at the given index; the JSON is known to be
  /// valid.
  static int objectEnd(byte[] json, int open) {
    int depth = 0;
    boolean inText = false;
    for (int i = open; ; i++) {
      byte b = json[i];
      if (inText) {
        if (b == '\\') {
          i++;
        } else if (b == '"') {
          inText = false;
        }
      } else if (b == '"') {
        inText = true;
      } else if (b == '{') {
        depth++;
      } else if (b == '}' && --depth == 0) {
        return i + 1;
      }
    }
  }
}
