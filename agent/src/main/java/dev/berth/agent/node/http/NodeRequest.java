package dev.berth.agent.node.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/// One request and its response.
record NodeRequest(Request request, Response response, Callback callback, Fields query) {
  static NodeRequest of(Request request, Response response, Callback callback) {
    return new NodeRequest(request, response, callback, Request.extractQueryParameters(request));
  }

  String method() {
    return request.getMethod();
  }

  String path() {
    return Request.getPathInContext(request);
  }

  /// The segments of the path.
  List<String> segments() {
    return List.of(path().substring(1).split("/", -1));
  }

  /// A parameter's first value; empty when absent.
  String parameter(String name) {
    String value = query.getValue(name);
    return value == null ? "" : value;
  }

  List<String> parameters(String name) {
    List<String> values = query.getValues(name);
    return values == null ? List.of() : values;
  }

  boolean flag(String name) {
    return List.of("1", "true", "True", "TRUE", "t", "T").contains(parameter(name));
  }

  @Nullable String token() {
    return request.getHeaders().get(HttpHeader.AUTHORIZATION);
  }

  /// The client's certificate; null without one that the CA signed.
  @Nullable X509Certificate certificate() {
    return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                instanceof EndPoint.SslSessionData data
            && data.peerCertificates() != null
            && data.peerCertificates().length > 0
        ? data.peerCertificates()[0]
        : null;
  }

  /// Sends a complete response.
  void send(int status, String contentType, byte[] body) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, java.nio.ByteBuffer.wrap(body), callback);
  }

  void sendText(int status, String text) {
    send(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  void sendJson(byte[] json) {
    send(200, "application/json", json);
  }

  /// Starts a streamed response.
  OutputStream stream(String contentType) throws IOException {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    OutputStream out = Content.Sink.asOutputStream(response);
    out.flush();
    return out;
  }
}
