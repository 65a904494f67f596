package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many large bodies that come in but for their last byte, on a server that would wait for it.
class SlowBodiesIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Duration NEVER = Duration.ofMinutes(30);
  private static final int BACKLOG = 16 << 20;
  private static final int MANY = 60;
  private static final int BODY = 3 << 20;

  @TempDir Path directory;
  private TestServer server;
  private HttpClient client;
  private Gauges gauges;
  private final List<RawConnection> slow = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    HttpLimits limits =
        new HttpLimits(100, 100, 10_000, NEVER, NEVER, NEVER, NEVER, NEVER, 16 << 10, BACKLOG);
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    client = server.admin();
    gauges = new Gauges(server, client);
    write("before");
  }

  @AfterEach
  void stop() throws IOException {
    for (RawConnection connection : slow) {
      connection.close();
    }
    client.close();
    server.close();
  }

  private void write(String name) throws IOException, InterruptedException {
    String body = "{\"metadata\":{\"name\":\"%s\"}}".formatted(name);
    assertThat(Requests.post(client, server, CONFIG_MAPS, "application/json", body).statusCode())
        .isEqualTo(201);
  }

  /// Sends all but the last byte of many bodies.
  private void sendBodies(SSLContext who) throws IOException {
    byte[] body = "{".repeat(BODY - 1).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < MANY; i++) {
      RawConnection connection = RawConnection.tls(server, who, "http/1.1");
      slow.add(connection);
      try {
        connection.send(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                .formatted(CONFIG_MAPS, BODY));
        connection.out().write(body);
        connection.out().flush();
      } catch (IOException _) {
        // This one was kept waiting for longest, by a busy machine, and is cut off already.
      }
    }
  }

  @Test
  void thoseOfAdministratorsHoldNoMoreThanTheyMay() throws Exception {
    long before = Gauges.memory();
    sendBodies(server.adminTls());
    // With three megabytes each there is room for five.
    Gauges.await(gauges::requests, open -> open <= 5);
    Gauges.await(() -> Gauges.memory() - before, held -> held < 4 * BACKLOG);
    write("after");
  }

  @Test
  void thoseOfStrangersAreNotKept() throws Exception {
    long before = Gauges.memory();
    sendBodies(server.userTls("eve"));
    Gauges.await(gauges::requests, open -> open == MANY);
    Gauges.await(() -> Gauges.memory() - before, held -> held < 4 * BACKLOG);
    write("after");
  }
}
