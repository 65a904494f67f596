package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that watch and do not read, many of them.
class StalledWatchersIT {
  private static final int MANY = 1000;
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WATCH =
      "GET " + CONFIG_MAPS + "?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final Duration STALL = Duration.ofSeconds(5);

  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;
  private Gauges gauges;
  private final List<RawConnection> raw = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    HttpLimits standard = HttpLimits.STANDARD;
    HttpLimits limits =
        new HttpLimits(
            2 * MANY,
            2 * MANY,
            10_000,
            standard.idle(),
            standard.header(),
            standard.body(),
            STALL,
            standard.answer(),
            16 << 10,
            standard.backlog());
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    client = server.admin();
    gauges = new Gauges(server, client);
  }

  @AfterEach
  void stop() throws IOException {
    closeAll();
    client.close();
    server.close();
  }

  private void closeAll() throws IOException {
    for (RawConnection connection : raw) {
      connection.close();
    }
    raw.clear();
  }

  private void openWatches(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RawConnection connection = RawConnection.tls(server);
      raw.add(connection);
      connection.send(WATCH);
    }
  }

  private void write(int number) throws IOException, InterruptedException {
    String body =
        "{\"metadata\":{\"name\":\"c%d\"},\"data\":{\"a\":\"%s\"}}"
            .formatted(number, "x".repeat(100_000));
    assertThat(Requests.post(client, server, CONFIG_MAPS, "application/json", body).statusCode())
        .isEqualTo(201);
  }

  @Test
  void aThousandThatNeverReadAreCutOffAndHoldUpNobody() throws Exception {
    long before = Gauges.memory();
    openWatches(MANY);
    Gauges.await(gauges::watches, open -> open == MANY);
    assertThat(gauges.requests()).isGreaterThanOrEqualTo(MANY);

    try (BufferedReader healthy = healthyWatch()) {
      for (int i = 0; i < 20; i++) {
        long start = System.nanoTime();
        write(i);
        assertThat(healthy.readLine()).contains("\"type\":\"ADDED\"", "\"name\":\"c" + i + "\"");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(STALL);
      }
      // Both ends of a connection live in this process; 100 KiB was measured.
      assertThat(Gauges.memory() - before).isLessThan(MANY * 250_000L);

      Gauges.await(gauges::watches, open -> open == 1);
      Gauges.await(gauges::requests, open -> open <= 3);
      Gauges.await(gauges::connections, open -> open <= 4);
    }
    closeAll();
    // Buffers outside of the heap go some time after what held them.
    Gauges.await(() -> Gauges.memory() - before, held -> held < 50_000_000);
  }

  private BufferedReader healthyWatch() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + CONFIG_MAPS + "?watch=1")).build();
    InputStream body = client.send(request, BodyHandlers.ofInputStream()).body();
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  @Test
  void anAnswerThatIsNotTakenIsCutOff() throws Exception {
    for (int i = 0; i < 20; i++) {
      write(i);
    }
    // All are connected before the time of the first one begins.
    for (int i = 0; i < 50; i++) {
      raw.add(RawConnection.tls(server));
    }
    for (RawConnection connection : raw) {
      connection.send("GET " + CONFIG_MAPS + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    Gauges.await(gauges::requests, open -> open >= 50);
    Gauges.await(gauges::requests, open -> open <= 2);
    Gauges.await(gauges::connections, open -> open <= 2);
  }

  @Test
  void thoseThatHangUpAreNoticedAlthoughNothingHappens() throws Exception {
    openWatches(50);
    Gauges.await(gauges::watches, open -> open == 50);
    closeAll();
    Gauges.await(gauges::watches, open -> open == 0);
    Gauges.await(gauges::requests, open -> open <= 2);
    Gauges.await(gauges::connections, open -> open <= 2);
  }
}
