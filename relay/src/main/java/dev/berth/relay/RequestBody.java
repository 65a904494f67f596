package dev.berth.relay;

import java.io.InputStream;

/// The body of a request. It is sent while it is read, so its length is not bounded.
///
/// @param length in bytes; negative when it is not known in advance
public record RequestBody(InputStream content, long length) {
  public static final RequestBody NONE = new RequestBody(InputStream.nullInputStream(), 0);

  boolean isEmpty() {
    return length == 0;
  }

  boolean isChunked() {
    return length < 0;
  }

  /// The header that says how the body ends (RFC 9112 section 6.3).
  String header() {
    return isChunked() ? "Transfer-Encoding: chunked" : "Content-Length: " + length;
  }
}
