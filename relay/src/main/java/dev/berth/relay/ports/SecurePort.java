package dev.berth.relay.ports;

import dev.berth.relay.KeepAlive;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// Builds a Jetty connector with TLS and connection limits.
public final class SecurePort {
  /// Connections that may be open while others are being closed to make room.
  private static final int SPARE = 256;

  private static final int ACCEPT_QUEUE = 4096;

  private SecurePort() {}

  /// HTTP without the leniency that servers may show, such as accepting lines that end in LF alone
  /// (RFC 9112 section 2.2): a proxy in between could see another request in them.
  ///
  /// @param longestHead the maximum size of a request's head, in bytes
  public static HttpConfiguration strictHttp(int longestHead) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(longestHead);
    http.setHttpCompliance(HttpCompliance.STRICT);
    http.addCustomizer(new SecureRequestCustomizer(false));
    return http;
  }

  /// TLS that requests a client certificate but does not require one.
  public static SslContextFactory.Server tls(SSLContext context) {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(context);
    factory.setWantClientAuth(true);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    return factory;
  }

  /// Adds a connector that passes requests to a handler once the server is started.
  ///
  /// @param tls the TLS layer
  /// @param inner the protocols inside of TLS
  public static Port add(
      Server server,
      InetSocketAddress address,
      int selectors,
      ConnectionLimits limits,
      SslConnectionFactory tls,
      List<ConnectionFactory> inner,
      Handler handler) {
    List<ConnectionFactory> layers = new ArrayList<>(List.of(new TlsOnly(tls), tls));
    layers.addAll(inner);
    ServerConnector connector =
        new ServerConnector(server, 1, selectors, layers.toArray(ConnectionFactory[]::new)) {
          @Override
          protected void configure(Socket socket) {
            super.configure(socket);
            KeepAlive.start(socket);
          }
        };
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(limits.idle().toMillis());
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    ConnectionGuard guard = new ConnectionGuard(limits, handler);
    connector.addBean(guard);
    server.addConnector(connector);
    // The guard enforces the limit. This bean also counts sockets that wait to be opened or closed.
    server.addBean(new NetworkConnectionLimit(limits.connections() + SPARE, connector));
    server.setHandler(guard);
    server.setErrorHandler(new PlainErrors());
    return new Port(connector, guard);
  }

  /// A connector with the guard of its connections.
  public record Port(ServerConnector connector, ConnectionGuard guard) {}
}
