package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Before it is trusted, a server may answer whatever it likes.
@Timeout(180)
class UntrustedServerIT {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/short", exchange -> answer(exchange, 5));
    server.createContext("/endless", exchange -> answer(exchange, Long.MAX_VALUE));
    server.createContext("/silent", UntrustedServerIT::beginOnly);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static void answer(HttpExchange exchange, long bytes) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody()) {
      byte[] piece = "x".repeat((int) Math.min(bytes, 1 << 16)).getBytes(StandardCharsets.UTF_8);
      for (long sent = 0; sent < bytes; sent += piece.length) {
        body.write(piece);
      }
    }
  }

  /// The head and one byte, and then nothing; the connection stays open until the server stops.
  private static void beginOnly(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1_000);
    exchange.getResponseBody().write('x');
    exchange.getResponseBody().flush();
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path));
  }

  @Test
  void aDocumentIsRead() throws Exception {
    assertThat(new UntrustedServer(Duration.ofMinutes(1)).get(at("/short")).body())
        .isEqualTo("xxxxx");
  }

  @Test
  void anAnswerWithoutEndIsCutOff() {
    assertThatThrownBy(() -> new UntrustedServer(Duration.ofMinutes(1)).get(at("/endless")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(HttpTimeoutException.class);
  }

  @Test
  void anAnswerThatStopsInItsBodyIsNotWaitedForLonger() {
    assertThatThrownBy(() -> new UntrustedServer(Duration.ofSeconds(2)).get(at("/silent")))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessage("no complete answer within 2 s");
  }
}
