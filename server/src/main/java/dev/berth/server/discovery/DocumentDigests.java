package dev.berth.server.discovery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Computes ETags of documents.
final class DocumentDigests {
  private DocumentDigests() {}

  static byte[] of(String algorithm, byte[] content) {
    try {
      return MessageDigest.getInstance(algorithm).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK lacks " + algorithm, e);
    }
  }

  /// A quoted upper-case SHA-512.
  static String etag(byte[] content) {
    return '"' + HexFormat.of().withUpperCase().formatHex(of("SHA-512", content)) + '"';
  }
}
