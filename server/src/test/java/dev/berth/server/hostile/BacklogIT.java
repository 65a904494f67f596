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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many clients that take nothing, on a server that would wait for each of them, but has no room
/// for all; administrators, who have a reserve beyond the limit of requests at once.
class BacklogIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Duration NEVER = Duration.ofMinutes(30);
  private static final int BACKLOG = 8 << 20;
  private static final int CONNECTIONS = 10;
  private static final int STREAMS = 100;
  private static final int OBJECT = 200_000;

  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;
  private final List<Http2Connection> stalled = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    HttpLimits limits =
        new HttpLimits(100, 100, 10_000, NEVER, NEVER, NEVER, NEVER, NEVER, 16 << 10, BACKLOG);
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    client = server.admin();
    String body =
        "{\"metadata\":{\"name\":\"large\"},\"data\":{\"a\":\"%s\"}}".formatted("x".repeat(OBJECT));
    assertThat(Requests.post(client, server, CONFIG_MAPS, "application/json", body).statusCode())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() throws IOException {
    for (Http2Connection connection : stalled) {
      connection.close();
    }
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {CONFIG_MAPS + "/large", CONFIG_MAPS})
  void answersThatNobodyTakesHoldNoMoreThanTheyMay(String path) throws Exception {
    assertThat(Requests.get(client, server, path).statusCode()).isEqualTo(200);
    long before = Gauges.memory();
    for (int i = 0; i < CONNECTIONS; i++) {
      Http2Connection connection = new Http2Connection(server, 0);
      stalled.add(connection);
      for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
        connection.get(stream, path);
      }
    }
    // All but those for which there is room.
    int kept = BACKLOG / (30 << 10);
    Gauges.await(this::resets, resets -> resets >= CONNECTIONS * STREAMS - kept);
    assertThat(Requests.get(client, server, path).body()).contains("xxxxx");
    // All answers of the abuser would take more than 100 MB.
    Gauges.await(() -> Gauges.memory() - before, held -> held < 5 * BACKLOG);
  }

  private long resets() {
    return stalled.stream()
        .mapToLong(connection -> connection.received(Http2Connection.RST_STREAM))
        .sum();
  }
}
