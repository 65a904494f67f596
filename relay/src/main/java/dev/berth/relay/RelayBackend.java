package dev.berth.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A server to which requests are forwarded.
///
/// @param tls the credentials and trusted authorities of the connection; null for plain HTTP
public record RelayBackend(String host, int port, @Nullable SSLContext tls) {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /// The server of a URL that a runtime on this machine returned.
  ///
  /// Runtimes sign the certificate of their streaming server themselves and publish it nowhere. On
  /// the loopback interface any certificate is accepted: nobody can listen in there, and a process
  /// that could listen at the runtime's port needs no certificate to do harm. Elsewhere the system
  /// must trust the certificate.
  ///
  /// @throws IOException for a URL of another scheme, or without a host
  public static RelayBackend ofRuntime(URI url) throws IOException {
    String host = url.getHost();
    if (host == null) {
      throw new MalformedURLException("the runtime's URL %s has no host".formatted(url));
    }
    String bare = host.replaceAll("^\\[|\\]$", "");
    return switch (String.valueOf(url.getScheme())) {
      case "http" -> new RelayBackend(bare, url.getPort() < 0 ? 80 : url.getPort(), null);
      case "https" ->
          new RelayBackend(
              bare,
              url.getPort() < 0 ? 443 : url.getPort(),
              InetAddress.getByName(bare).isLoopbackAddress()
                  ? AnyCertificate.context()
                  : trusted());
      case String other ->
          throw new MalformedURLException(
              "the runtime's URL %s has scheme %s (supported: http, https)".formatted(url, other));
    };
  }

  private static SSLContext trusted() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
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

  /// The value of the `Host` header.
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
