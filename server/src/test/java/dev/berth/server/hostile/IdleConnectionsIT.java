package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.HttpLimits;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many connections of clients that never say who they are.
class IdleConnectionsIT {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int LIMIT = 100;

  @TempDir Path folder;

  @Test
  void idleAnonymousConnectionsMakeRoomForOthersAndKnownClientsStay() throws Exception {
    HttpLimits standard = HttpLimits.STANDARD;
    HttpLimits limits =
        new HttpLimits(
            LIMIT, 10_000, NEVER, NEVER, NEVER, NEVER, NEVER, 16 << 10, standard.backlog());
    List<RawConnection> idle = new ArrayList<>();
    try (TestServer server =
            TestServer.start(folder, config -> config.with(HttpConfig.STANDARD.with(limits)));
        HttpClient admin = server.admin();
        RawConnection known = RawConnection.tls(server)) {
      version(known);
      try {
        for (int i = 0; i < 6 * LIMIT; i++) {
          idle.add(
              i % 10 == 0
                  ? RawConnection.tls(server, server.trustingTls(), "http/1.1")
                  : RawConnection.tcp(server));
          if (i % LIMIT == 0) {
            assertThat(Requests.get(admin, server, "/readyz").body()).isEqualTo("ok");
          }
        }
        Gauges.await(server::connections, open -> open <= LIMIT);

        version(known);
        try (HttpClient bob = server.user("bob")) {
          assertThat(Requests.get(bob, server, "/version").statusCode()).isEqualTo(200);
        }
      } finally {
        for (RawConnection connection : idle) {
          connection.close();
        }
      }
    }
  }

  private static void version(RawConnection connection) throws Exception {
    connection.send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(connection.readUntil("gitVersion")).startsWith("HTTP/1.1 200 ");
    connection.readUntil("}");
  }
}
