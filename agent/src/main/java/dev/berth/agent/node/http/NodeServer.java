package dev.berth.agent.node.http;

import dev.berth.agent.streams.PodDirectory;
import dev.berth.agent.usage.NodeUsage;
import dev.berth.client.ApiClient;
import dev.berth.relay.ports.ConnectionLimits;
import dev.berth.relay.ports.OpenFiles;
import dev.berth.relay.ports.SecurePort;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The node's HTTPS server, with the kubelet's API for API servers and monitoring.
public final class NodeServer implements AutoCloseable {
  /// Jetty's own threads accept and select only; requests run on virtual threads.
  private static final int THREADS = 8;

  /// Idle connections and threads are closed after this time.
  private static final int IDLE_MILLIS = 60_000;

  /// An API server uses one connection per stream and a few others.
  private static final int CONNECTIONS = (int) Math.min(4096, Math.max(2, OpenFiles.limit() / 8));

  /// An eighth of the file descriptors, of which one address gets half. A kubelet waits for the
  /// head of a request as long as for the request; Berth's API server allows 32 s.
  public static final ConnectionLimits STANDARD_LIMITS =
      new ConnectionLimits(
          CONNECTIONS,
          ConnectionLimits.shareOfOneAddress(CONNECTIONS),
          Duration.ofMillis(IDLE_MILLIS),
          Duration.ofSeconds(32));

  /// The URL of an exec contains the command, and Linux accepts arguments of 128 KiB.
  private static final int LONGEST_HEAD = 256 << 10;

  private final Server server;
  private final ServerConnector connector;

  private NodeServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /// What the server reports.
  ///
  /// @param usage and `summary`, `containers`, `probes`: computed for each request
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

  /// Starts the server; it listens when this returns.
  ///
  /// @param tls must trust only client certificates of the cluster's CA
  /// @param client for token and access reviews
  public static NodeServer start(
      InetSocketAddress address,
      SSLContext tls,
      String node,
      Contents contents,
      ApiClient client,
      ConnectionLimits limits,
      InstantSource clock)
      throws IOException {
    QueuedThreadPool threads =
        new QueuedThreadPool(THREADS, 3, IDLE_MILLIS, -1, new LinkedBlockingQueue<>(), null);
    threads.setName("node-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    SecurePort.Port port =
        SecurePort.add(
            server,
            address,
            1,
            limits,
            new SslConnectionFactory(SecurePort.tls(tls), "http/1.1"),
            List.of(new HttpConnectionFactory(SecurePort.strictHttp(LONGEST_HEAD))),
            new NodeHandler(
                new NodeAuthentication(client, clock),
                new NodeAuthorization(client, node, clock),
                new PodRoutes(contents.pods(), clock),
                new NodeRoutes(contents)));
    try {
      server.start();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the node's server did not start: " + e.getMessage(), e);
    }
    return new NodeServer(server, port.connector());
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
