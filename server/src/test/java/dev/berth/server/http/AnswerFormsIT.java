package dev.berth.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How answers look on the wire, beyond what they say.
class AnswerFormsIT {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int LARGE = 300 << 10;

  private static @Nullable TestServer server;
  private static @Nullable HttpClient client;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, InterruptedException {
    server = TestServer.start(folder);
    client = server.admin();
    post("large", "x".repeat(LARGE));
    post("small", "x");
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null && client != null) {
      client.close();
      server.close();
    }
  }

  private static void post(String name, String value) throws IOException, InterruptedException {
    String body =
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"v\":\"%s\"}}".formatted(name, value);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + MAPS))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    assertThat(
            Objects.requireNonNull(client).send(request, BodyHandlers.discarding()).statusCode())
        .isEqualTo(201);
  }

  private static HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Objects.requireNonNull(client).send(request.build(), BodyHandlers.ofByteArray());
  }

  private static boolean isCompressed(HttpResponse<?> answer) {
    return answer.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
  }

  @Test
  void aLargeObjectIsCompressedForWhoCanReadIt() throws Exception {
    HttpResponse<byte[]> plain = get(MAPS + "/large");
    assertThat(isCompressed(plain)).isFalse();

    HttpResponse<byte[]> compressed = get(MAPS + "/large", "Accept-Encoding", "gzip");
    assertThat(isCompressed(compressed)).isTrue();
    assertThat(compressed.body().length).isLessThan(LARGE / 10);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
      assertThat(in.readAllBytes()).isEqualTo(plain.body());
    }
  }

  @Test
  void aSmallObjectIsNotWorthCompressing() throws Exception {
    HttpResponse<byte[]> answer = get(MAPS + "/small", "Accept-Encoding", "gzip");
    assertThat(isCompressed(answer)).isFalse();
    assertThat(new String(answer.body(), UTF_8)).startsWith("{\"kind\":\"ConfigMap\"");
  }
}
