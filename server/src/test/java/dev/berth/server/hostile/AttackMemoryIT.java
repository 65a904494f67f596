package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an attack took is free when it is over: live heap and buffers, those of Jetty's pool
/// included.
class AttackMemoryIT {
  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 100;
  private static final int LARGE = 3_000_000;
  private static final long SLACK = 12L << 20;

  @TempDir Path directory;

  @Test
  void memoryReturnsToWhatItWasBeforeTheAttack() throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient admin = server.admin()) {
      // Code, caches and the pool's first buffers.
      attack(server, admin);
      long before = Gauges.memory();
      for (int i = 0; i < ROUNDS; i++) {
        attack(server, admin);
      }
      Gauges.await(Gauges::memory, now -> now < before + SLACK);
    }
  }

  private static void attack(TestServer server, HttpClient admin) throws Exception {
    String path = "/api/v1/namespaces/default/configmaps";
    String large = "{\"data\":\"%s\"}".formatted("x".repeat(LARGE));
    List<RawConnection> idle = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        idle.add(
            i % 2 == 0
                ? RawConnection.tls(server, server.trustingTls(), "http/1.1")
                : RawConnection.halfOpen(server, 50, "127.0.0.1"));
        assertThat(Requests.get(admin, server, path + "?limit=x").statusCode()).isEqualTo(400);
      }
      for (int i = 0; i < 10; i++) {
        assertThat(Requests.post(admin, server, path, "application/json", large).statusCode())
            .isGreaterThanOrEqualTo(400);
        assertThat(Requests.get(admin, server, "/openapi/v2").statusCode()).isEqualTo(200);
      }
    } finally {
      for (RawConnection connection : idle) {
        connection.close();
      }
    }
    Gauges.await(server::connections, open -> open < CONNECTIONS / 2);
  }
}
