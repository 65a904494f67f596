package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that take their time with a request, on a server with short limits.
class SlowClientsIT {
  /// Long enough for a handshake on a busy machine.
  private static final Duration HEADER = Duration.ofMillis(1500);

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration BODY = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /// Far more than any limit, far less than for ever.
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final String POST =
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\n";

  private static @Nullable TestServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    Duration answer = Duration.ofSeconds(10);
    HttpLimits limits =
        new HttpLimits(
            100,
            100,
            10_000,
            IDLE,
            HEADER,
            BODY,
            answer,
            answer,
            16 << 10,
            HttpLimits.STANDARD.backlog());
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    warmUp(server);
  }

  /// The first handshake of a process loads much code: on a busy machine it takes longer than it
  /// may here.
  private static void warmUp(TestServer server) throws IOException {
    for (int attempts = 0; ; attempts++) {
      try (RawConnection client = RawConnection.tls(server)) {
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client.readUntil("ok");
        return;
      } catch (IOException e) {
        if (attempts == 20) {
          throw e;
        }
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private static TestServer server() {
    return Objects.requireNonNull(server);
  }

  @Test
  void aHandshakeThatNeverStartsIsCutOff() throws IOException {
    try (RawConnection client = RawConnection.tcp(server())) {
      assertThat(client.awaitEnd()).isLessThan(SOON);
    }
  }

  @Test
  void aHandshakeThatTricklesIsCutOff() throws IOException {
    try (RawConnection client = RawConnection.tcp(server())) {
      // The head of a TLS record of 512 bytes that never becomes whole.
      assertThat(client.trickle("\u0016\u0003\u0001\u0002" + "\0".repeat(300), PAUSE))
          .isLessThan(SOON);
    }
  }

  @Test
  void aHeadThatTricklesIsCutOff() throws IOException {
    try (RawConnection client = RawConnection.tls(server())) {
      client.send("GET /version HTTP/1.1\r\nHost: localhost\r\nX-Padding: ");
      assertThat(client.trickle("x", PAUSE)).isLessThan(SOON);
    }
  }

  @Test
  void aSecondHeadThatTricklesIsCutOffToo() throws IOException {
    try (RawConnection client = RawConnection.tls(server())) {
      client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readUntil("ok")).startsWith("HTTP/1.1 200 ");
      client.send("GET /version HTTP/1.1\r\nHost: localhost\r\nX-Padding: ");
      assertThat(client.trickle("x", PAUSE)).isLessThan(SOON);
    }
  }

  @Test
  void aQuietConnectionIsCutOff() throws IOException {
    try (RawConnection client = RawConnection.tls(server())) {
      client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readUntil("ok")).startsWith("HTTP/1.1 200 ");
      assertThat(client.awaitEnd()).isLessThan(SOON);
    }
  }

  @Test
  void aBodyThatTricklesGetsATimeoutAndIsCutOff() throws IOException {
    try (RawConnection client = RawConnection.tls(server())) {
      client.send(POST + "Content-Length: 100000\r\n\r\n{");
      String answer = client.readAll();
      assertThat(answer).startsWith("HTTP/1.1 504 ");
      assertThat(answer)
          .endsWith(
              "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                  + "\"message\":\"Timeout: request did not complete within the allotted timeout\","
                  + "\"reason\":\"Timeout\",\"details\":{},\"code\":504}");
    }
  }

  @Test
  void aBodyThatTricklesIsCutOffWhateverItsPace() throws IOException {
    try (RawConnection client = RawConnection.tls(server())) {
      client.send(POST + "Transfer-Encoding: chunked\r\n\r\nfffff\r\n{");
      assertThat(client.trickle(" ", PAUSE)).isLessThan(SOON);
    }
  }

  @Test
  void connectionsOverTheLimitTakeThePlaceOfIdleOnes() throws Exception {
    List<RawConnection> many = new ArrayList<>();
    try (HttpClient healthy = server().admin()) {
      for (int i = 0; i < 150; i++) {
        many.add(RawConnection.tcp(server()));
      }
      Gauges.await(server()::connections, open -> open <= 100);
      assertThat(Requests.get(healthy, server(), "/version").statusCode()).isEqualTo(200);
    } finally {
      for (RawConnection connection : many) {
        connection.close();
      }
    }
  }
}
