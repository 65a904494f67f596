package dev.berth.server.discovery;

/// A finished document and the tag by which a client can ask whether it changed.
///
/// The bytes are shared, not copied: callers only send them.
public final class TaggedDocument {
  private final byte[] body;
  private final String etag;

  TaggedDocument(byte[] body) {
    this.body = body;
    this.etag = DocumentDigests.etag(body);
  }

  public byte[] body() {
    return body;
  }

  /// Returns the tag with its quotes, ready for the `ETag` header.
  public String etag() {
    return etag;
  }
}
