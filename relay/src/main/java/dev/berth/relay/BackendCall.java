package dev.berth.relay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// One request to a backend.
///
/// @param target the encoded path and query
/// @param headers the headers of the original request; those about its connection or its sender are
///   not forwarded
/// @param upgrade whether the backend may upgrade the connection
public record BackendCall(
    String method, String target, HttpFields headers, RequestBody body, boolean upgrade) {
  private static final Set<HttpHeader> NOT_PASSED_ON =
      Set.of(
          HttpHeader.HOST,
          HttpHeader.AUTHORIZATION,
          HttpHeader.CONNECTION,
          HttpHeader.UPGRADE,
          HttpHeader.KEEP_ALIVE,
          HttpHeader.TE,
          HttpHeader.TRANSFER_ENCODING,
          HttpHeader.CONTENT_LENGTH,
          HttpHeader.ACCEPT_ENCODING,
          HttpHeader.ORIGIN,
          HttpHeader.EXPECT,
          HttpHeader.COOKIE);

  /// Sends the request and waits for the head of the answer, which the caller must close.
  public BackendAnswer send(RelayBackend backend) throws IOException {
    Socket socket = backend.connect();
    BodySender sender = null;
    try {
      socket.getOutputStream().write(head(backend).getBytes(StandardCharsets.ISO_8859_1));
      sender = body.isEmpty() ? null : BodySender.start(body, socket);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 32 << 10);
      return BackendAnswer.read(socket, in, sender);
    } catch (IOException | RuntimeException e) {
      if (sender != null) {
        sender.stop();
      }
      socket.close();
      throw e;
    }
  }

  /// The head of the request. Without an upgrade there is one request per connection, after which
  /// the backend closes it. The version is HTTP/1.1 nevertheless: some servers, such as Envoy,
  /// refuse HTTP/1.0.
  private String head(RelayBackend backend) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(backend).append("\r\n");
    for (HttpField field : headers) {
      if (isPassedOn(field)) {
        head.append(field.getName()).append(": ").append(field.getValue()).append("\r\n");
      }
    }
    if (upgrade) {
      head.append("Connection: Upgrade\r\n");
      head.append("Upgrade: ").append(headers.get(HttpHeader.UPGRADE)).append("\r\n");
    } else {
      head.append("Connection: close\r\n");
    }
    if (!body.isEmpty() || !method.equals("GET")) {
      head.append(body.header()).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  private static boolean isPassedOn(HttpField field) {
    return (field.getHeader() == null || !NOT_PASSED_ON.contains(field.getHeader()))
        && !field.getName().regionMatches(true, 0, "Impersonate-", 0, 12)
        && !field.getName().startsWith(":");
  }
}
