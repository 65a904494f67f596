package dev.berth.server.http.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Long answers over TLS are, byte for byte, what a part of this process gets without.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchedTlsIT {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON = "application/json";
  private static final int SIZE = 123_457;
  private static final int COUNT = 30;

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    // The kernel takes less than a buffer, so that writes end in the middle of one.
    HttpLimits limits = HttpLimits.STANDARD;
    HttpLimits narrow =
        new HttpLimits(
            100,
            100,
            10_000,
            limits.idle(),
            limits.header(),
            limits.body(),
            limits.stall(),
            limits.answer(),
            24 << 10,
            limits.backlog());
    server = TestServer.start(directory, config -> config.with(HttpConfig.STANDARD.with(narrow)));
    Random random = new Random(7);
    try (HttpClient client = server.admin()) {
      for (int i = 0; i < COUNT; i++) {
        String text =
            random
                .ints(SIZE, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String map = "{\"metadata\":{\"name\":\"m%d\"},\"data\":{\"v\":\"%s\"}}".formatted(i, text);
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(server.url() + MAPS))
                .header("Content-Type", JSON)
                .POST(BodyPublishers.ofString(map))
                .build();
        assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
      }
    }
  }

  @AfterAll
  void stop() throws Exception {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aLongListArrivesWhole(HttpClient.Version version) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + MAPS)).version(version).build();
    try (HttpClient client = server.admin()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString(UTF_8));
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.body()).hasSizeGreaterThan(COUNT * SIZE).isEqualTo(withoutTls());
    }
  }

  private String withoutTls() throws Exception {
    LocalConnection.Answer answer =
        server.local().send("GET", MAPS, JSON, "", new byte[0], Duration.ofSeconds(20));
    try (InputStream body = answer.body()) {
      return new String(body.readAllBytes(), UTF_8);
    }
  }
}
