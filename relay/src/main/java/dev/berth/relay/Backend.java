package dev.berth.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A server to which requests are passed on.
///
/// @param tls as whom to connect and whom to trust; null for plain HTTP
public record Backend(String host, int port, @Nullable SSLContext tls) {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /// The plain HTTP server of a URL.
  public static Backend plain(URI url) {
    return new Backend(url.getHost(), url.getPort() < 0 ? 80 : url.getPort(), null);
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
      socket.setTcpNoDelay(true);
      KeepAlive.start(socket);
      return tls == null ? socket : secure(tls, socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private Socket secure(SSLContext context, Socket socket) throws IOException {
    SSLSocket secured =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.setSoTimeout((int) CONNECT.toMillis());
    secured.startHandshake();
    secured.setSoTimeout(0);
    return secured;
  }

  /// As the `Host` header has it.
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
