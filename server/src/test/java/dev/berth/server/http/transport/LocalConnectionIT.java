package dev.berth.server.http.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests of the server's own process.
class LocalConnectionIT {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON = "application/json";
  private static final Duration LIMIT = Duration.ofMinutes(2);

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

  private static LocalConnection.Answer send(String method, String target, String body)
      throws IOException {
    String type = body.isEmpty() ? "" : JSON;
    return server().local().send(method, target, JSON, type, body.getBytes(UTF_8), LIMIT);
  }

  private static String text(LocalConnection.Answer answer) throws IOException {
    try (InputStream body = answer.body()) {
      return new String(body.readAllBytes(), UTF_8);
    }
  }

  private static String map(String name, String value) {
    return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"v\":\"%s\"}}".formatted(name, value);
  }

  @Test
  void whatIsWrittenCanBeRead() throws IOException {
    LocalConnection.Answer made = send("POST", MAPS, map("one", "x"));
    assertThat(made.status()).isEqualTo(201);
    assertThat(text(made)).contains("\"manager\":\"test\"");
    assertThat(text(send("GET", MAPS + "/one", ""))).contains("\"v\":\"x\"");
    assertThat(text(send("GET", MAPS + "?fieldSelector=metadata.name%3Done", "")))
        .contains("ConfigMapList", "\"v\":\"x\"");
  }

  @Test
  void itIsKnownByItsCertificate() throws IOException {
    LocalConnection.Answer refused =
        server().local("jane").send("GET", MAPS, JSON, "", new byte[0], LIMIT);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(text(refused)).contains("User \\\"jane\\\" cannot list resource");
  }

  @Test
  void mistakesAreAnsweredAsToEverybody() throws IOException {
    LocalConnection.Answer refused = send("POST", MAPS, "{");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(text(refused)).contains("\"reason\":\"BadRequest\"");
    assertThat(send("GET", "/no/such/path", "").status()).isEqualTo(404);
  }

  @Test
  void aWatchGoesOnUntilItIsClosed() throws IOException {
    InputStream watch = send("GET", MAPS + "?watch=1&resourceVersion=0", "").body();
    BufferedReader lines = new BufferedReader(new InputStreamReader(watch, UTF_8));
    for (int i = 0; i < 3; i++) {
      text(send("POST", MAPS, map("watched-" + i, "y")));
      String line = lines.readLine();
      while (!line.contains("watched-" + i)) {
        line = lines.readLine();
      }
    }
    watch.close();
    assertThatThrownBy(lines::readLine).isInstanceOf(IOException.class);
    assertThat(text(send("GET", MAPS + "/watched-2", ""))).contains("watched-2");
  }

  /// The last byte of a list far larger than what a writer may be ahead.
  @Test
  void aSlowReaderGetsEverything() throws IOException {
    String large = "z".repeat(200_000);
    for (int i = 0; i < 6; i++) {
      text(send("POST", MAPS, map("large-" + i, large)));
    }
    String list = text(send("GET", MAPS, ""));
    assertThat(list).endsWith("]}").hasSizeGreaterThan(6 * large.length());
  }
}
