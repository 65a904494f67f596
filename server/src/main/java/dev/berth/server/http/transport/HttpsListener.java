package dev.berth.server.http.transport;

import dev.berth.relay.ports.SecurePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The listening socket with TLS and HTTP/1.1 or HTTP/2 by ALPN; one virtual thread per request.
///
/// Two kinds of threads serve a connection: a few of Jetty's for what never waits (select, decrypt,
/// parse), virtual ones for handlers. A handler that waited on Jetty's threads could stop every
/// connection.
public final class HttpsListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpsListener.class);

  /// Time limit for open requests when the server stops.
  private static final int STOP_MILLIS = 5_000;

  /// Threads that select and parse; they never block, so more than processors are useless.
  private static final int SELECTORS = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 8);

  private static final int MIN_THREADS = SELECTORS + 2;
  private static final int MAX_THREADS = 4 * SELECTORS + 16;
  private static final int THREAD_IDLE_MILLIS = 60_000;

  /// The largest pooled buffer: {@link BatchedTls} needs one for several records.
  private static final int LONGEST_BUFFER = 160 << 10;

  private static final int LONGEST_HEAD = 32 << 10;

  /// Upstream's limit: a client with more streams opens another connection.
  private static final int H2_STREAMS = 250;

  /// Protocol violations per second, stream resets among them, that end an HTTP/2 connection. The
  /// limit is above {@link #H2_STREAMS}: when all streams of a connection are cut off, the
  /// connection does not fail as a whole, which would take Jetty's threads from other connections.
  private static final int H2_ODDITIES = 2 * H2_STREAMS;

  /// Flow control window for request bodies; RFC 9113's default of 64 KiB would cost a round trip
  /// per 64 KiB.
  private static final int H2_WINDOW = 1 << 20;

  /// These paths cannot be decoded; the handlers reject other violations.
  private static final UriCompliance PATHS =
      UriCompliance.UNSAFE.without(
          "decodable",
          Violation.BAD_PERCENT_ENCODING,
          Violation.BAD_UTF8_ENCODING,
          Violation.TRUNCATED_UTF8_ENCODING);

  /// Like Go's servers, prefers 128-bit keys: they are secure and cheaper than 256-bit keys.
  private static final Comparator<String> SHORT_KEYS_FIRST =
      Comparator.comparing(suite -> !suite.contains("AES_128_GCM"));

  private final Server server;
  private final SecurePort.Port port;
  private final HttpConfiguration http = httpConfiguration();

  public HttpsListener(
      InetSocketAddress address, SSLContext tls, HttpLimits limits, Handler handler) {
    server = new Server(threads(), null, new ArrayByteBufferPool(-1, -1, LONGEST_BUFFER));
    HTTP2ServerConnectionFactory h2 = new HeaderSpaces(http);
    h2.setMaxConcurrentStreams(H2_STREAMS);
    h2.setRateControlFactory(new WindowRateControl.Factory(H2_ODDITIES));
    h2.setInitialStreamRecvWindow(H2_WINDOW);
    // All streams of a connection share this window, so one slow upload cannot use it up alone.
    h2.setInitialSessionRecvWindow(16 * H2_WINDOW);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol("http/1.1");
    port =
        SecurePort.add(
            server,
            address,
            SELECTORS,
            limits.ofConnections(),
            new BatchedTls(sslFactory(tls), alpn.getProtocol()),
            List.of(alpn, h2, new HttpConnectionFactory(http)),
            handler);
    port.connector().setAcceptedSendBufferSize(limits.sendBuffer());
    server.setStopTimeout(STOP_MILLIS);
  }

  /// Threads for Jetty's own work, which never waits: select, decrypt, parse. Handlers that may
  /// wait run on virtual threads.
  private static QueuedThreadPool threads() {
    // Jetty's default queue would load JMX, which takes a tenth of the start.
    QueuedThreadPool threads =
        new QueuedThreadPool(
            MAX_THREADS, MIN_THREADS, THREAD_IDLE_MILLIS, -1, new LinkedBlockingQueue<>(), null);
    threads.setName("http");
    threads.setDaemon(true);
    return threads;
  }

  private static HttpConfiguration httpConfiguration() {
    HttpConfiguration http = SecurePort.strictHttp(LONGEST_HEAD);
    http.setSendDateHeader(true);
    http.setOutputBufferSize(64 << 10);
    http.setUriCompliance(PATHS);
    return http;
  }

  private static SslContextFactory.Server sslFactory(SSLContext tls) {
    SslContextFactory.Server factory = SecurePort.tls(tls);
    factory.setUseCipherSuitesOrder(true);
    factory.setCipherComparator(SHORT_KEYS_FIRST);
    return factory;
  }

  /// Binds the port and starts to handle requests.
  public void start() throws IOException {
    try {
      server.start();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the HTTPS listener did not start: " + e.getMessage(), e);
    }
  }

  /// Opens an in-process connection to the same handlers, which identify the component by its
  /// certificate.
  public LocalConnection local(X509Certificate certificate, String userAgent) {
    return new LocalConnection(port.connector(), http, certificate, userAgent);
  }

  public InetSocketAddress address() throws IOException {
    ServerConnector connector = port.connector();
    return connector.getTransport() instanceof ServerSocketChannel channel
        ? (InetSocketAddress) channel.getLocalAddress()
        : new InetSocketAddress(connector.getHost(), connector.getLocalPort());
  }

  /// The number of connected clients.
  public int connections() {
    return port.guard().connections();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (TimeoutException _) {
      // Jetty waits in vain for a client that vanished during an HTTP/2 stream; its
      // connection has been closed by now.
      log.debug("connections did not close within {} ms, the listener closed them", STOP_MILLIS);
    } catch (Exception e) {
      throw new IOException("the HTTPS listener did not stop: " + e.getMessage(), e);
    }
  }
}
