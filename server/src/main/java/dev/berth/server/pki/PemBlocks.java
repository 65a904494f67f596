package dev.berth.server.pki;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The armour around DER: `-----BEGIN X-----`, base64, `-----END X-----`.
final class PemBlocks {
  static final String CERTIFICATE = "CERTIFICATE";
  static final String PRIVATE_KEY = "PRIVATE KEY";
  static final String PUBLIC_KEY = "PUBLIC KEY";

  private PemBlocks() {}

  /// One armoured thing.
  // An array in a record is compared by identity; blocks are never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Block(String type, byte[] der) {}

  static String encode(String type, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  /// All blocks in order; text between them is passed over.
  ///
  /// @throws IllegalArgumentException when a block has no end or is not base64
  static List<Block> decode(String text) {
    List<Block> blocks = new ArrayList<>();
    int from = 0;
    while ((from = text.indexOf("-----BEGIN ", from)) >= 0) {
      int typeEnd = text.indexOf("-----", from + 11);
      if (typeEnd < 0) {
        throw new IllegalArgumentException("a PEM header is cut off");
      }
      String type = text.substring(from + 11, typeEnd);
      int end = text.indexOf("-----END " + type + "-----", typeEnd);
      if (end < 0) {
        throw new IllegalArgumentException("the PEM block " + type + " has no end");
      }
      String body = text.substring(typeEnd + 5, end).replaceAll("\\s", "");
      blocks.add(new Block(type, Base64.getDecoder().decode(body)));
      from = end;
    }
    return blocks;
  }
}
