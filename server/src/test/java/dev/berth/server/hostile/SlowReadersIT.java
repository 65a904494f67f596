package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.transport.HttpLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that take their answer a little at a time, each piece in time, the whole never.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowReadersIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Duration ANSWER = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private TestServer server;
  private HttpClient client;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    HttpLimits standard = HttpLimits.STANDARD;
    HttpLimits limits =
        new HttpLimits(
            100,
            100,
            10_000,
            standard.idle(),
            standard.header(),
            standard.body(),
            standard.stall(),
            ANSWER,
            16 << 10,
            standard.backlog());
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(limits)));
    client = server.admin();
    for (String name : new String[] {"a", "b", "c"}) {
      String body =
          "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"x\":\"%s\"}}"
              .formatted(name, "x".repeat(900_000));
      write(body);
    }
  }

  /// Wants a short answer: on a busy machine also this client is slow.
  private void write(String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + CONFIG_MAPS))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
            .POST(BodyPublishers.ofString(body))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
  }

  @AfterAll
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {CONFIG_MAPS + "/a", CONFIG_MAPS, "/openapi/v2"})
  void aWholeAnswerMustBeTakenInItsTime(String path) throws IOException {
    try (RawConnection slow = RawConnection.tls(server)) {
      // The server's time begins at some moment after this one.
      long start = System.nanoTime();
      slow.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      slow.sip(PAUSE);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(ANSWER, HttpLimits.STANDARD.stall());
    }
  }

  @Test
  void aStreamMayTakeLonger() throws IOException {
    try (RawConnection slow = RawConnection.tls(server)) {
      slow.send("GET " + CONFIG_MAPS + "?watch=1&timeoutSeconds=2 HTTP/1.1\r\n");
      slow.send("Host: localhost\r\nConnection: close\r\n\r\n");
      String all = slow.readAll();
      assertThat(all.substring(all.length() - 10)).isEqualTo("xxxxx\"}}}\n");
    }
  }
}
