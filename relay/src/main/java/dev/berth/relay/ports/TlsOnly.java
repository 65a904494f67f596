package dev.berth.relay.ports;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.util.Callback;

/// Answers plain HTTP with the error of Go's servers, and closes connections that are neither TLS
/// nor HTTP.
final class TlsOnly extends DetectorConnectionFactory {
  private static final byte[] ANSWER =
      "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"
          .getBytes(StandardCharsets.US_ASCII);

  TlsOnly(Detecting tls) {
    super(tls);
  }

  @Override
  protected void nextProtocol(Connector connector, EndPoint client, ByteBuffer begun) {
    if (begun.hasRemaining() && Character.isUpperCase(begun.get(begun.position()))) {
      client.write(Callback.from(client::close), ByteBuffer.wrap(ANSWER));
    } else {
      client.close();
    }
  }
}
