package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.relay.RelayBackend;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WriteBacklog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A proxy, and behind it a server of this process that tells what it was asked.
final class ProxyRelayIT {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final String POD = "/api/v1/namespaces/t/pods/web/proxy";

  private static final int LONG = 64 << 20;
  private static final Duration USUAL = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          100, 100, 100, USUAL, USUAL, USUAL, Duration.ofMillis(100), USUAL, 16 << 10, 1 << 20);

  private final WriteBacklog backlog = new WriteBacklog(LIMITS.backlog());
  private final ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
  private HttpServer pod;
  private Server proxy;
  private ServerConnector connector;
  private int podPort;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    pod = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    podPort = pod.getAddress().getPort();
    pod.createContext("/", ProxyRelayIT::echo);
    pod.createContext("/count", ProxyRelayIT::count);
    pod.createContext("/first", ProxyRelayIT::first);
    pod.createContext("/long", exchange -> answer(exchange, new byte[LONG]));
    pod.start();
    proxy = new Server(null, null, buffers);
    HttpConfiguration http = new HttpConfiguration();
    connector =
        new ServerConnector(
            proxy, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
    connector.setHost(LOOPBACK.getHostAddress());
    proxy.addConnector(connector);
    proxy.setHandler(new Proxy());
    proxy.start();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    proxy.stop();
    pod.stop(0);
    assertThat(buffers.getLeaks()).as(buffers::dumpLeaks).isEmpty();
  }

  @Test
  void anyMethodReachesThePodAndItsHeadersComeBack() throws Exception {
    for (String method : new String[] {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
      HttpResponse<String> answer = send(method, POD + "/a%20b?x=y");
      assertThat(answer.statusCode()).isEqualTo(202);
      assertThat(answer.body()).isEqualTo(method + " /a%20b?x=y HTTP/1.1");
      assertThat(answer.headers().firstValue("X-Pod")).contains("web");
      assertThat(answer.headers().firstValue("Content-Type")).contains("text/x-echo");
    }
  }

  @Test
  void whatWouldSpeakForThisServerStaysBehind() throws Exception {
    assertThat(send("GET", POD + "/").headers().map())
        .doesNotContainKeys("set-cookie", "access-control-allow-origin");
  }

  @Test
  void anAnswerWithoutABodyHasNone() throws Exception {
    HttpResponse<String> answer = send("HEAD", POD + "/");
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Content-Length")).contains("17");
    assertThat(send("GET", POD + "/204").statusCode()).isEqualTo(204);
  }

  @Test
  void redirectsLeadBehindTheProxy() throws Exception {
    HttpResponse<String> answer = send("GET", POD + "/301");
    assertThat(answer.statusCode()).isEqualTo(301);
    assertThat(answer.headers().firstValue("Location")).contains(POD + "/there");

    HttpResponse<String> bare = send("GET", POD + "?x=y");
    assertThat(bare.statusCode()).isEqualTo(301);
    assertThat(bare.headers().firstValue("Location")).contains(POD + "/?x=y");
    assertThat(send("POST", POD).body()).isEqualTo("POST / HTTP/1.1");
  }

  /// More than the server takes of a body that is for itself.
  @Test
  void bodiesOfAnySizeReachThePod() throws Exception {
    byte[] large = new byte[ServerExchange.BODY_LIMIT + 1_000_000];
    for (HttpRequest.BodyPublisher body :
        List.of(
            HttpRequest.BodyPublishers.ofByteArray(large),
            HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))) {
      URI uri = URI.create("http://127.0.0.1:%d%s/count".formatted(proxyPort(), POD));
      HttpRequest request = HttpRequest.newBuilder(uri).POST(body).build();
      assertThat(client.send(request, BodyHandlers.ofString()).body())
          .isEqualTo(String.valueOf(large.length));
    }
  }

  @Test
  void aBodyIsPassedOnAsItComes() throws Exception {
    try (Socket socket = new Socket(LOOPBACK, proxyPort())) {
      String head = "POST %s/first HTTP/1.1\r\nHost: here\r\n".formatted(POD);
      String begun = head + "Content-Length: 1000000000000\r\n\r\nhello";
      socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 ")
          .contains("hello");
    }
  }

  @Test
  void aPodThatIsAwayTakesNoBody() throws Exception {
    podPort = 1;
    assertThat(send("POST", POD + "/").statusCode()).isEqualTo(500);
  }

  /// There the last piece of a body is also its end.
  @Test
  void bodiesOfHttp2ReachThePod() throws Exception {
    try (HttpClient modern = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      URI uri = URI.create("http://127.0.0.1:%d%s/count".formatted(proxyPort(), POD));
      HttpRequest.Builder request = HttpRequest.newBuilder(uri);
      modern.send(request.GET().build(), BodyHandlers.ofString());
      HttpResponse<String> answer =
          modern.send(
              request.POST(HttpRequest.BodyPublishers.ofString("body")).build(),
              BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.body()).isEqualTo("4");
    }
  }

  /// As with `kubectl logs web | less`.
  @Test
  void whoReadsALongAnswerMayPause() throws Exception {
    connector.setIdleTimeout(PAUSE.toMillis() / 2);
    try (Socket socket = new Socket(LOOPBACK, proxyPort())) {
      String asking = "GET %s/long HTTP/1.1\r\nHost: here\r\n\r\n".formatted(POD);
      socket.getOutputStream().write(asking.getBytes(StandardCharsets.US_ASCII));
      pause();
      assertThat(socket.getInputStream().transferTo(OutputStream.nullOutputStream()))
          .isGreaterThan(LONG);
    }
  }

  @Test
  void whoReadsALongAnswerOfHttp2MayPause() throws Exception {
    connector.setIdleTimeout(PAUSE.toMillis() / 2);
    try (HttpClient modern = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      URI uri = URI.create("http://127.0.0.1:%d%s/long".formatted(proxyPort(), POD));
      try (InputStream body =
          modern.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream()).body()) {
        pause();
        assertThat(body.transferTo(OutputStream.nullOutputStream())).isEqualTo(LONG);
      }
    }
  }

  /// Longer than connections may be idle, and answers may stall.
  private void pause() {
    await(() -> backlog.total() > 0);
    long over = System.nanoTime() + PAUSE.toNanos();
    await(() -> System.nanoTime() > over);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aConnectionMayLeaveHttp() throws Exception {
    try (ServerSocket words = new ServerSocket(0, 1, LOOPBACK)) {
      podPort = words.getLocalPort();
      Thread.ofVirtual().start(() -> greet(words));
      try (Socket socket = new Socket(LOOPBACK, proxyPort())) {
        String head = "GET %s/ws HTTP/1.1\r\nHost: here\r\n".formatted(POD);
        String asking = head + "Connection: Upgrade\r\nUpgrade: words\r\n\r\n";
        socket.getOutputStream().write(asking.getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 101 ")
            .endsWith("\r\n\r\nGET /ws HTTP/1.1");
      }
    }
  }

  private static void greet(ServerSocket words) {
    try (Socket socket = words.accept()) {
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) socket.getInputStream().read());
      }
      String first = head.substring(0, head.indexOf("\r\n"));
      String switched = "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: words\r\n\r\n";
      socket.getOutputStream().write((switched + first).getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void count(HttpExchange exchange) throws IOException {
    long length = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    answer(exchange, String.valueOf(length).getBytes(StandardCharsets.US_ASCII));
  }

  /// Does not wait for the rest of the body.
  private static void first(HttpExchange exchange) throws IOException {
    answer(exchange, exchange.getRequestBody().readNBytes(5));
  }

  private static void answer(HttpExchange exchange, byte[] text) throws IOException {
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.getResponseBody().flush();
  }

  private static void echo(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getRawPath();
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("X-Pod", "web");
      exchange.getResponseHeaders().add("Content-Type", "text/x-echo");
      exchange.getResponseHeaders().add("Set-Cookie", "a=b");
      exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
      if (path.equals("/204") || path.equals("/301")) {
        exchange.getResponseHeaders().add("Location", "/there");
        exchange.sendResponseHeaders(Integer.parseInt(path.substring(1)), -1);
        return;
      }
      String text =
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(), exchange.getRequestURI(), exchange.getProtocol());
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.getResponseHeaders().add("Content-Length", head ? "17" : "" + bytes.length);
      exchange.sendResponseHeaders(202, head ? -1 : bytes.length);
      if (!head) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(proxyPort(), path));
    HttpRequest.BodyPublisher body =
        method.startsWith("P")
            ? HttpRequest.BodyPublishers.ofString("body")
            : HttpRequest.BodyPublishers.noBody();
    return client.send(
        HttpRequest.newBuilder(uri).method(method, body).build(), BodyHandlers.ofString());
  }

  private int proxyPort() {
    return connector.getLocalPort();
  }

  private final class Proxy extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      ServerExchange exchange = new ServerExchange(request, response, callback, LIMITS, backlog);
      Thread.ofVirtual().start(() -> serve(exchange));
      return true;
    }

    private void serve(ServerExchange exchange) {
      try {
        String path = exchange.request().getHttpURI().getPathQuery();
        RelayBackend backend = new RelayBackend("127.0.0.1", podPort, null);
        ProxyRelay.serve(exchange, backend, ProxyPath.parse(path, "pods"));
        exchange.end();
      } catch (IOException | InterruptedException | RuntimeException e) {
        exchange.abort(e);
      }
    }
  }
}
