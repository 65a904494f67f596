package dev.berth.server.openapi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// A document in compressed form with the digest of its content.
///
/// The hash is that of the uncompressed content, so it does not depend on the compression and
/// serves as the ETag of both forms.
public final class CompressedDocument {
  private final byte[] gzip;
  private final String hash;

  private CompressedDocument(byte[] gzip, String hash) {
    this.gzip = gzip;
    this.hash = hash;
  }

  /// Writes the content of a document.
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  static CompressedDocument of(Content content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-512");
      ByteArrayOutputStream compressed = new ByteArrayOutputStream(1 << 14);
      try (OutputStream out =
          new DigestOutputStream(new GZIPOutputStream(compressed, 1 << 13), digest)) {
        content.writeTo(out);
      }
      String hash = HexFormat.of().withUpperCase().formatHex(digest.digest());
      return new CompressedDocument(compressed.toByteArray(), hash);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK lacks SHA-512", e);
    }
  }

  /// The document for `Content-Encoding: gzip`; shared, not copied.
  public byte[] gzip() {
    return gzip;
  }

  /// Decompresses the document on each call; nearly every client accepts it compressed.
  public InputStream plain() {
    try {
      return new GZIPInputStream(new ByteArrayInputStream(gzip));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Upper-case SHA-512 of the content.
  public String hash() {
    return hash;
  }

  /// The hash with quotes, ready for the `ETag` header.
  public String etag() {
    return '"' + hash + '"';
  }
}
