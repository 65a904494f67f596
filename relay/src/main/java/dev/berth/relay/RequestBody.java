package dev.berth.relay;

import java.io.InputStream;

/// What a request brings along; it is read while it is sent, so that it may be of any length.
///
/// @param length in bytes; negative when only the end tells
public record RequestBody(InputStream content, long length) {
  public static final RequestBody NONE = new RequestBody(InputStream.nullInputStream(), 0);

  boolean isEmpty() {
    return length == 0;
  }

  boolean isChunked() {
    return length < 0;
  }

  /// The line of the head that says how the body ends (RFC 9112 section 6.3).
  String header() {
    return isChunked() ? "Transfer-Encoding: chunked" : "Content-Length: " + length;
  }
}
