package dev.berth.agent.node.http;

import dev.berth.agent.node.usage.NodeUsage;
import dev.berth.agent.streams.PodDirectory;
import dev.berth.client.ApiClient;
import dev.berth.relay.KeepAlive;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The node's HTTPS server, as API servers and monitoring know it from the kubelet.
public final class NodeServer implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int IDLE_MILLIS = 60_000;

  /// The URL of an exec has the command in it, and Linux takes arguments of 128 KiB.
  private static final int LONGEST_HEAD = 256 << 10;

  private final Server server;
  private final ServerConnector connector;

  private NodeServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /// What the server shows.
  ///
  /// @param usage and `summary`, `containers`, `probes`: asked anew for each request that wants it
  /// @param containers the text of `/metrics/cadvisor`
  /// @param probes the text of `/metrics/probes`
  /// @param settings the JSON of `/configz`
  public record Contents(
      PodDirectory pods,
      PrometheusRegistry metrics,
      Supplier<NodeUsage> usage,
      Supplier<byte[]> summary,
      Supplier<byte[]> containers,
      Supplier<byte[]> probes,
      Supplier<byte[]> settings) {}

  /// Listens when it returns.
  ///
  /// @param tls must trust client certificates of the cluster's authority only
  /// @param client asked who callers are and what they may
  public static NodeServer start(
      InetSocketAddress address,
      SSLContext tls,
      String node,
      Contents contents,
      ApiClient client,
      InstantSource clock)
      throws IOException {
    QueuedThreadPool threads =
        new QueuedThreadPool(THREADS, 3, IDLE_MILLIS, -1, new LinkedBlockingQueue<>(), null);
    threads.setName("node-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    ServerConnector connector = connector(server, address, tls);
    server.addConnector(connector);
    server.setHandler(
        new NodeHandler(
            new Authentication(client, clock),
            new Authorization(client, node, clock),
            new PodRoutes(contents.pods(), clock),
            new NodeRoutes(contents)));
    try {
      server.start();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the node's server did not start: " + e.getMessage(), e);
    }
    return new NodeServer(server, connector);
  }

  private static ServerConnector connector(
      Server server, InetSocketAddress address, SSLContext tls) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(LONGEST_HEAD);
    http.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(tls);
    factory.setWantClientAuth(true);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    ServerConnector connector =
        new ServerConnector(
            server,
            1,
            1,
            new SslConnectionFactory(factory, "http/1.1"),
            new HttpConnectionFactory(http)) {
          @Override
          protected void configure(Socket socket) {
            super.configure(socket);
            KeepAlive.start(socket);
          }
        };
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the node's server did not stop: " + e.getMessage(), e);
    }
  }
}
