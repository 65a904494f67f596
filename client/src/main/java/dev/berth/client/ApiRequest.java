package dev.berth.client;

/// One HTTP request to an API server.
public final class ApiRequest {
  private static final byte[] NOTHING = {};

  private final String method;
  private final String target;
  private final String accept;
  private final String contentType;
  private final byte[] body;
  private final boolean streaming;

  private ApiRequest(
      String method,
      String target,
      String accept,
      String contentType,
      byte[] body,
      boolean streaming) {
    this.method = method;
    this.target = target;
    this.accept = accept;
    this.contentType = contentType;
    this.body = body;
    this.streaming = streaming;
  }

  public static ApiRequest get(String target, String accept) {
    return new ApiRequest("GET", target, accept, "", NOTHING, false);
  }

  static ApiRequest watch(String target, String accept) {
    return new ApiRequest("GET", target, accept, "", NOTHING, true);
  }

  /// A request with a body.
  ///
  /// @param body not copied; the caller must not change it afterwards
  public static ApiRequest of(
      String method, String target, String accept, String contentType, byte[] body) {
    return new ApiRequest(method, target, accept, contentType, body, false);
  }

  public String method() {
    return method;
  }

  /// Path and query, already encoded.
  public String target() {
    return target;
  }

  public String accept() {
    return accept;
  }

  /// The content type of the body; empty when there is none.
  public String contentType() {
    return contentType;
  }

  /// Shared, so it must not be changed.
  public byte[] body() {
    return body;
  }

  /// Whether the request is a watch, whose answer lasts until the server or the caller ends it.
  public boolean isStreaming() {
    return streaming;
  }

  @Override
  public String toString() {
    return method + " " + target;
  }
}
