package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many connections of clients that never say who they are.
class IdleConnectionsIT {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int LIMIT = 100;
  private static final int PER_ADDRESS = 20;

  /// The address of an attacker, and of honest clients behind the same NAT.
  private static final String NAT = "127.0.0.77";

  private static final String HERE = "127.0.0.1";

  @TempDir Path directory;

  private final List<RawConnection> idle = new ArrayList<>();

  @AfterEach
  void closeAll() throws IOException {
    for (RawConnection connection : idle) {
      connection.close();
    }
  }

  /// How far an attacker goes before it does nothing more.
  enum Attack {
    CONNECTED {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        return RawConnection.tcp(server, source);
      }
    },
    PART_OF_THE_FIRST_RECORD {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        return RawConnection.halfOpen(server, 50, source);
      }
    },
    WITHIN_THE_HANDSHAKE {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        return RawConnection.halfOpen(server, 100, source);
      }
    },
    TLS {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        return RawConnection.tls(server, server.trustingTls(), "http/1.1", source);
      }
    },
    HTTP2 {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        return RawConnection.tls(server, server.trustingTls(), "h2", source);
      }
    },
    ANSWERED {
      @Override
      RawConnection open(TestServer server, String source) throws IOException {
        RawConnection connection = TLS.open(server, source);
        version(connection);
        return connection;
      }
    };

    abstract RawConnection open(TestServer server, String source) throws IOException;
  }

  private TestServer start(int perAddress) throws IOException {
    HttpLimits limits =
        new HttpLimits(
            LIMIT,
            perAddress,
            10_000,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            16 << 10,
            HttpLimits.STANDARD.backlog());
    return TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void idleAnonymousConnectionsMakeRoomForOthersAndKnownClientsStay(Attack attack)
      throws Exception {
    try (TestServer server = start(LIMIT);
        HttpClient admin = server.admin();
        RawConnection known = RawConnection.tls(server)) {
      version(known);
      for (int i = 0; i < 4 * LIMIT; i++) {
        idle.add(attack.open(server, HERE));
        if (i % LIMIT == 0) {
          assertThat(Requests.get(admin, server, "/readyz").body()).isEqualTo("ok");
        }
      }
      Gauges.await(server::connections, open -> open <= LIMIT);

      version(known);
      try (HttpClient bob = server.user("bob")) {
        assertThat(Requests.get(bob, server, "/version").statusCode()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void oneAddressHasNoMoreThanItsShareAndItsKnownClientsKeepTheirs(Attack attack) throws Exception {
    try (TestServer server = start(PER_ADDRESS);
        RawConnection elsewhere = Attack.TLS.open(server, HERE);
        RawConnection known = RawConnection.tls(server, server.adminTls(), "http/1.1", NAT)) {
      version(known);
      for (int i = 0; i < 5 * PER_ADDRESS; i++) {
        idle.add(attack.open(server, NAT));
      }
      Gauges.await(server::connections, open -> open <= PER_ADDRESS + 1);

      version(known);
      // Anonymous and idle as well, at an address that is within its share.
      version(elsewhere);
      try (RawConnection fresh = RawConnection.tls(server, server.adminTls(), "http/1.1", NAT)) {
        version(fresh);
      }
    }
  }

  @Test
  void whereAllConnectionsOfAnAddressAreInUseFurtherOnesAreRefused() throws Exception {
    try (TestServer server = start(PER_ADDRESS)) {
      for (int i = 0; i < PER_ADDRESS; i++) {
        RawConnection watch = RawConnection.tls(server, server.adminTls(), "http/1.1", NAT);
        idle.add(watch);
        watch.send("GET /api/v1/namespaces?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(watch.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      }

      assertThatThrownBy(() -> version(Attack.TLS.open(server, NAT)))
          .isInstanceOf(IOException.class);

      idle.removeLast().close();
      Gauges.await(server::connections, open -> open < PER_ADDRESS);
      idle.add(Attack.ANSWERED.open(server, NAT));
      idle.add(Attack.ANSWERED.open(server, HERE));
    }
  }

  private static void version(RawConnection connection) throws IOException {
    connection.send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(connection.readUntil("gitVersion")).startsWith("HTTP/1.1 200 ");
    connection.readUntil("}");
  }
}
