package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Header lines at the edge of what HTTP allows.
class HeaderLinesIT {
  private static @Nullable TestServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    server = TestServer.start(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    server().close();
  }

  private static TestServer server() {
    return Objects.requireNonNull(server);
  }

  /// client-go sends `kubectl/ ` and the like where a version is not known.
  @ParameterizedTest
  @ValueSource(strings = {"e2e.test/ ", " leading", "tab\t", "  both\t ", " ", "in the middle"})
  void spacesAtTheEndsOfAValueAreNoPartOfItInHttp2(String value) throws Exception {
    try (Http2Connection connection = new Http2Connection(server(), 1 << 20)) {
      connection.get(1, "/version", "user-agent", value);
      connection.get(3, "/version", "accept", "application/json" + value);

      Gauges.await(() -> connection.received(Http2Connection.HEADERS), answers -> answers == 2);
      Gauges.await(
          () -> connection.data().split("gitVersion", -1).length - 1, bodies -> bodies == 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\0b", "a\u007fb", " a\u0001 "})
  void whatNoValueMayHaveIsRefusedInHttp2(String value) throws Exception {
    try (Http2Connection connection = new Http2Connection(server(), 1 << 20)) {
      connection.get(1, "/version", "user-agent", value);

      Gauges.await(connection::dataBytes, bytes -> bytes > 0);
      assertThat(connection.data()).doesNotContain("gitVersion");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /version HTTP/1.1\nHost: localhost\r\n\r\n",
        "GET /version HTTP/1.1\r\nHost: localhost\nX-One: two\r\n\r\n",
        "GET /version HTTP/1.1\r\nHost: localhost\r\n\n",
        "GET /version HTTP/1.1\r\nHost: localhost\r\nX-One: a\r\n folded\r\n\r\n",
        "GET /version HTTP/1.1\r\nHost: localhost\r\nX-One : a\r\n\r\n",
        "GET /version HTTP/1.1\r\nHost: localhost\r\nX-One\r\n\r\n",
        "GET /version HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n",
        "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
        "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      })
  void linesThatProxiesReadInTwoWaysAreRefused(String request) throws Exception {
    try (RawConnection connection = RawConnection.tls(server())) {
      connection.send(request);

      assertThat(connection.readAll()).startsWith("HTTP/1.1 400 ").doesNotContain("gitVersion");
    }
  }
}
