package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.streams.PodDirectory;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.relay.AnyCertificate;
import dev.berth.relay.ports.ConnectionLimits;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile clients of the node's port.
final class NodePortIT {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int PATIENCE_MILLIS = 120_000;
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String NAT = "127.0.0.77";
  private static final String HERE = "127.0.0.1";

  @TempDir private Path directory;

  private final List<Socket> idle = new ArrayList<>();

  @AfterEach
  void closeAll() throws IOException {
    for (Socket socket : idle) {
      socket.close();
    }
  }

  /// More than Jetty itself would hold: without room it would not accept the last ones.
  @ParameterizedTest
  @CsvSource({"true, 30, 30", "false, 30, 30", "true, 100, 15", "false, 100, 15"})
  void idleStrangersMakeRoomAndAuthenticatedClientsStay(boolean tls, int connections, int share)
      throws Exception {
    try (NodeServer server = start(new ConnectionLimits(connections, share, NEVER, NEVER));
        Socket known = tls(server, NAT)) {
      assertThat(health(known, "t1")).startsWith("HTTP/1.1 200 ");
      for (int i = 0; i < 400; i++) {
        idle.add(tls ? tls(server, NAT) : tcp(server, NAT));
      }

      assertThat(health(known, "t1")).startsWith("HTTP/1.1 200 ");
      try (Socket fresh = tls(server, NAT);
          Socket elsewhere = tls(server, HERE)) {
        assertThat(health(fresh, "t1")).startsWith("HTTP/1.1 200 ");
        assertThat(health(elsewhere, "")).startsWith("HTTP/1.1 401 ");
      }
    }
  }

  @Test
  void aHeadThatTricklesInIsCutOff() throws Exception {
    Duration shortTime = Duration.ofMillis(500);
    try (NodeServer server = start(new ConnectionLimits(10, 10, NEVER, shortTime));
        Socket client = tls(server, HERE)) {
      client.setSoTimeout(50);
      boolean isOpen = true;
      while (isOpen) {
        try {
          client.getOutputStream().write('G');
          isOpen = client.getInputStream().read() >= 0;
        } catch (SocketTimeoutException _) {
          // Not yet; the limit of the test ends it otherwise.
        } catch (IOException _) {
          isOpen = false;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /healthz HTTP/1.1\nHost: node\n\n",
        "GET /healthz HTTP/1.1\r\nHost: node\r\nX: a\nY: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: node\r\nX: a\r\n b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: node\r\nX : a\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: node\r\nHost: other\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n\r\n",
        "POST /run/a/b/c HTTP/1.1\r\nHost: node\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /run/a HTTP/1.1\r\nHost: n\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
      })
  void whatAProxyCouldReadInAnotherWayIsRefused(String request) throws Exception {
    try (NodeServer server = start(NodeServer.STANDARD_LIMITS);
        Socket client = tls(server, HERE)) {
      assertThat(answer(client, request)).startsWith("HTTP/1.1 400 ").endsWith("400 Bad Request");
    }
  }

  @Test
  void aHeadHasABound() throws Exception {
    try (NodeServer server = start(NodeServer.STANDARD_LIMITS);
        Socket client = tls(server, HERE)) {
      assertThat(answer(client, "GET /%s HTTP/1.1\r\n".formatted("a".repeat(300 << 10))))
          .startsWith("HTTP/1.1 414 ");
    }
  }

  @Test
  void whoForgetsTlsIsToldSo() throws Exception {
    try (NodeServer server = start(NodeServer.STANDARD_LIMITS);
        Socket client = tcp(server, HERE)) {
      assertThat(answer(client, "GET /healthz HTTP/1.1\r\nHost: node\r\n\r\n"))
          .endsWith("Client sent an HTTP request to an HTTPS server.\n");
    }
  }

  private static String health(Socket client, String token) throws IOException {
    String request =
        "GET /healthz HTTP/1.1\r\nHost: node\r\nAuthorization: Bearer %s\r\n\r\n".formatted(token);
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().matches("(?s).*\r\n\r\n(ok|Unauthorized\n)")) {
      int next = client.getInputStream().read();
      if (next < 0) {
        throw new IOException("the connection ended after " + answer);
      }
      answer.append((char) next);
    }
    return answer.toString();
  }

  private static String answer(Socket client, String request) throws IOException {
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  private static Socket tcp(NodeServer server, String source) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(source), 0));
    socket.connect(
        new InetSocketAddress(InetAddress.ofLiteral(HERE), server.port()), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static Socket tls(NodeServer server, String source) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            AnyCertificate.context()
                .getSocketFactory()
                .createSocket(tcp(server, source), HERE, server.port(), true);
    socket.startHandshake();
    return socket;
  }

  private NodeServer start(ConnectionLimits limits) throws Exception {
    NodeServer.Contents contents =
        new NodeServer.Contents(
            PodDirectory.EMPTY,
            new PrometheusRegistry(),
            () -> {
              throw new IllegalStateException("not asked for");
            },
            () -> new byte[0],
            () -> new byte[0],
            () -> new byte[0],
            () -> new byte[0]);
    return NodeServer.start(
        new InetSocketAddress(InetAddress.ofLiteral(HERE), 0),
        serverTls(),
        "n1",
        contents,
        new ApiClient(new KnowsTokens()),
        limits,
        InstantSource.system());
  }

  private SSLContext serverTls() throws Exception {
    Path file = directory.resolve("node.p12");
    String command =
        "%s -genkeypair -keyalg EC -alias node -dname CN=n1 -keystore %s -storepass changeit"
            .formatted(Path.of(System.getProperty("java.home"), "bin", "keytool"), file);
    assertThat(new ProcessBuilder(command.split(" ", -1)).start().waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /// Knows who has token t1, and allows everything.
  private static final class KnowsTokens implements ApiTransport {
    @Override
    public ApiResponse send(ApiRequest request) {
      String answer =
          new String(request.body(), StandardCharsets.UTF_8).contains("\"token\":\"\"")
              ? "{\"status\":{}}"
              : "{\"status\":{\"allowed\":true,\"authenticated\":true,\"user\":{\"username\":\"ann\"}}}";
      return new ApiResponse(
          201, new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
  }
}
