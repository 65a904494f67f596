package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.relay.RelayBackend;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WriteBacklog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Logs as messages of a WebSocket, and behind the server a node of this process.
final class LogMessagesIT {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final String END = "end of the log";

  private final WriteBacklog backlog = new WriteBacklog(HttpLimits.STANDARD.backlog());

  /// What the container writes, piece by piece.
  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();

  /// How the node's requests ended.
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

  private HttpClient client;
  private HttpServer node;
  private Server server;
  private ServerConnector connector;

  @BeforeEach
  void start() throws Exception {
    client = HttpClient.newHttpClient();
    node = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    node.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    node.createContext("/log", this::follow);
    node.createContext("/refused", LogMessagesIT::refuse);
    node.start();
    server = new Server();
    connector = new ServerConnector(server);
    connector.setHost(LOOPBACK.getHostAddress());
    server.addConnector(connector);
    server.setHandler(new Logs());
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.stop();
    node.stop(0);
  }

  @Test
  void bytesAreBinaryMessagesFromAnEmptyOneToTheEnd() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(messages, "/log", "v9.example", "binary.k8s.io");

    assertThat(socket.getSubprotocol()).isEqualTo("binary.k8s.io");
    assertThat(messages.next()).isEqualTo("binary ");
    written.add("container is alive\n");
    assertThat(messages.next()).isEqualTo("binary container is alive\n");
    written.add("x".repeat(100_000));
    assertThat(messages.text(100_000)).isEqualTo("x".repeat(100_000));
    written.add(END);
    assertThat(messages.next()).isEqualTo("closed 1000");
  }

  @Test
  void whoOffersNoProtocolGetsBinaryMessages() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(messages, "/log");

    assertThat(socket.getSubprotocol()).isEmpty();
    assertThat(messages.next()).isEqualTo("binary ");
    written.add("a");
    assertThat(messages.next()).isEqualTo("binary a");
    written.add(END);
    assertThat(messages.next()).isEqualTo("closed 1000");
  }

  @Test
  void eachMessageOfBase64IsDecodedByItself() throws Exception {
    Messages messages = new Messages();
    open(messages, "/log", "base64.binary.k8s.io", "binary.k8s.io");

    assertThat(messages.next()).isEqualTo("text ");
    written.add("a");
    assertThat(messages.next()).isEqualTo("text YQ==");
    written.add("\u00e4\n");
    assertThat(Base64.getDecoder().decode(messages.next().substring("text ".length())))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("\u00e4\n");
    written.add(END);
    assertThat(messages.next()).isEqualTo("closed 1000");
  }

  @Test
  void theNodeIsLetGoWhenTheClientLeaves() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(messages, "/log", "binary.k8s.io");
    assertThat(messages.next()).isEqualTo("binary ");

    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();

    assertThat(messages.next()).startsWith("closed ");
    awaitNodeLetGo();
  }

  @Test
  void theNodeIsLetGoWhenTheClientHangsUp() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(messages, "/log", "binary.k8s.io");
    assertThat(messages.next()).isEqualTo("binary ");

    socket.abort();

    awaitNodeLetGo();
  }

  @Test
  void refusalsComeBeforeTheProtocolIsSwitched() {
    assertRefused("/log", 403, "v4.channel.k8s.io");
    assertRefused("/refused", 400, "binary.k8s.io");
  }

  private void assertRefused(String path, int code, String protocol) {
    assertThatThrownBy(() -> open(new Messages(), path, protocol))
        .hasCauseInstanceOf(WebSocketHandshakeException.class)
        .cause()
        .satisfies(
            why ->
                assertThat(((WebSocketHandshakeException) why).getResponse().statusCode())
                    .isEqualTo(code));
  }

  /// The node notices only when it writes.
  private void awaitNodeLetGo() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    String how = null;
    while (how == null && System.nanoTime() < end) {
      written.add("more");
      how = ended.poll(100, TimeUnit.MILLISECONDS);
    }
    assertThat(how).isEqualTo("broken");
  }

  private WebSocket open(Messages messages, String path, String... protocols) {
    WebSocket.Builder builder = client.newWebSocketBuilder().header("Origin", "http://localhost");
    if (protocols.length > 0) {
      builder.subprotocols(protocols[0], Arrays.copyOfRange(protocols, 1, protocols.length));
    }
    return builder
        .buildAsync(URI.create("ws://127.0.0.1:" + connector.getLocalPort() + path), messages)
        .join();
  }

  private void follow(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      for (String text = written.take(); !text.equals(END); text = written.take()) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
      ended.add("whole");
    } catch (IOException _) {
      ended.add("broken");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void refuse(HttpExchange exchange) throws IOException {
    byte[] text = "no log yet".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(400, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  /// What a client receives: messages, and the end with its code.
  private static final class Messages implements WebSocket.Listener {
    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final StringBuilder characters = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      while (data.hasRemaining()) {
        bytes.write(data.get());
      }
      if (last) {
        all.add("binary " + bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      characters.append(data);
      if (last) {
        all.add("text " + characters);
        characters.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      all.add("closed " + code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      all.add("error " + error);
    }

    private String next() throws InterruptedException {
      return Objects.requireNonNull(all.poll(120, TimeUnit.SECONDS), "nothing came");
    }

    /// So many characters of binary messages, however many they are.
    private String text(int length) throws InterruptedException {
      StringBuilder text = new StringBuilder();
      while (text.length() < length) {
        text.append(next().substring("binary ".length()));
      }
      return text.toString();
    }
  }

  private final class Logs extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      ServerExchange exchange =
          new ServerExchange(request, response, callback, HttpLimits.STANDARD, backlog);
      Thread.ofVirtual().start(() -> serve(exchange));
      return true;
    }

    private void serve(ServerExchange exchange) {
      try {
        NodeRelay.stream(
            exchange,
            new RelayBackend("127.0.0.1", node.getAddress().getPort(), null),
            exchange.path(),
            PodStreams.logOutput(exchange, HttpLimits.STANDARD));
        exchange.end();
      } catch (ApiException e) {
        exchange.send(e.status().code(), "text/plain", new byte[0]);
      } catch (IOException | InterruptedException | RuntimeException e) {
        exchange.abort(e);
      }
    }
  }
}
