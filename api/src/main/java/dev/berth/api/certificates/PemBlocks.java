package dev.berth.api.certificates;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads and writes PEM: DER between `-----BEGIN X-----` and `-----END X-----`, in base64.
public final class PemBlocks {
  public static final String CERTIFICATE = "CERTIFICATE";
  public static final String CERTIFICATE_REQUEST = "CERTIFICATE REQUEST";
  public static final String PRIVATE_KEY = "PRIVATE KEY";
  public static final String RSA_PRIVATE_KEY = "RSA PRIVATE KEY";
  public static final String EC_PRIVATE_KEY = "EC PRIVATE KEY";
  public static final String PUBLIC_KEY = "PUBLIC KEY";

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final int LINE = 64;

  private PemBlocks() {}

  // An array in a record is compared by identity; blocks are never compared.
  @SuppressWarnings("ArrayRecordComponent")
  public record Block(String type, byte[] der) {}

  public static String encode(String type, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return BEGIN + type + DASHES + "\n" + body + "\n" + END + type + DASHES + "\n";
  }

  /// Reads all blocks in order; text between them is skipped.
  ///
  /// @throws IllegalArgumentException when a block has no end or is not base64
  public static List<Block> decode(String text) {
    List<Block> blocks = new ArrayList<>();
    int from = 0;
    while ((from = text.indexOf(BEGIN, from)) >= 0) {
      blocks.add(blockAt(text, from));
      from = text.indexOf(END, from);
    }
    return blocks;
  }

  /// The first block, whatever follows it; empty when there is none.
  ///
  /// @throws IllegalArgumentException when the block has no end or is not base64
  public static Optional<Block> first(String text) {
    int from = text.indexOf(BEGIN);
    return from < 0 ? Optional.empty() : Optional.of(blockAt(text, from));
  }

  private static Block blockAt(String text, int from) {
    int typeStart = from + BEGIN.length();
    int typeEnd = text.indexOf(DASHES, typeStart);
    if (typeEnd < 0) {
      throw new IllegalArgumentException("a PEM header is cut off");
    }
    String type = text.substring(typeStart, typeEnd);
    int end = text.indexOf(END + type + DASHES, typeEnd);
    if (end < 0) {
      throw new IllegalArgumentException("the PEM block " + type + " has no end");
    }
    String body = text.substring(typeEnd + DASHES.length(), end).replaceAll("\\s", "");
    return new Block(type, Base64.getDecoder().decode(body));
  }
}
