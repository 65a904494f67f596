package dev.berth.server.http.encoding;

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
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// How answers look on the wire, beyond what they say.
class AnswerFormsIT {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int LARGE = 300 << 10;

  private static @Nullable TestServer server;
  private static @Nullable HttpClient client;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException, InterruptedException {
    server = TestServer.start(directory);
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
    String body = "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"v\":\"%s\"}}".formatted(name, value);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + MAPS))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    assertThat(Objects.requireNonNull(client).send(request, BodyHandlers.discarding()).statusCode())
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

  private static String text(String path, String... headers)
      throws IOException, InterruptedException {
    return new String(get(path, headers).body(), UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        MAPS + "/small | \"kind\": \"ConfigMap\"",
        MAPS + "/nobody | \"kind\": \"Status\"",
        MAPS + " | \"kind\": \"ConfigMapList\"",
        "/api | \"kind\": \"APIVersions\"",
        "/apis/apps | \"kind\": \"APIGroup\"",
        "/version | \"major\": \"1\"",
      })
  void peopleGetIndentedJson(String path, String first) throws Exception {
    String indented = text(path + "?pretty=true");
    assertThat(indented).startsWith("{\n  " + first + ",\n").endsWith("\n}");
    assertThat(text(path, "User-Agent", "curl/8.5.0")).isEqualTo(indented);
    String compact = text(path + "?pretty=false", "User-Agent", "curl/8.5.0");
    assertThat(compact).isEqualTo(text(path)).doesNotContain("\n");
    assertThat(indented).isEqualTo(new String(IndentedJson.of(compact.getBytes(UTF_8)), UTF_8));
  }

  @Test
  void aLongListIsIndentedAndCompressed() throws Exception {
    HttpResponse<byte[]> answer = get(MAPS + "?pretty=1", "Accept-Encoding", "gzip");
    assertThat(isCompressed(answer)).isTrue();
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(text(MAPS + "?pretty=1"));
    }
  }

  @Test
  void otherFormatsAndWatchesHaveNoSuchForm() throws Exception {
    assertThat(text(MAPS + "/small?pretty=true", "Accept", "application/yaml"))
        .isEqualTo(text(MAPS + "/small", "Accept", "application/yaml"));
    assertThat(text(MAPS + "?watch=1&timeoutSeconds=1&pretty=true").lines())
        .hasSize(2)
        .allSatisfy(event -> assertThat(event).startsWith("{\"type\":\"ADDED\",\"object\":{"));
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void documentsThatNameTheServerDoSoForEveryClient(HttpClient.Version version) throws Exception {
    String url = Objects.requireNonNull(server).url();
    for (String path : List.of("/api", "/.well-known/openid-configuration")) {
      HttpResponse<String> answer =
          Objects.requireNonNull(client)
              .send(
                  HttpRequest.newBuilder(URI.create(url + path)).version(version).build(),
                  BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.body())
          .containsAnyOf(
              "\"serverAddress\":\"" + url.substring("https://".length()) + "\"",
              "\"jwks_uri\":\"" + url + "/openid/v1/jwks\"");
    }
  }

  /// As upstream has it: some of its paths go through a router that knows methods, some do not.
  @ParameterizedTest
  @CsvSource({
    "/version, 405",
    "/version/more, 404",
    "/api, 405",
    "/api/v1, 405",
    "/api/v9, 404",
    "/apis, 200",
    "/apis/apps, 200",
    "/apis/apps/v1, 405",
    "/.well-known/openid-configuration, 405",
    "/openid/v1/jwks, 405",
    "/, 200",
    "/healthz, 200",
    "/openapi/v3, 200",
    "/metrics, 200",
    "/metrics/more, 404"
  })
  void fixedPathsAreForReading(String path, int code) throws Exception {
    for (String method : List.of("POST", "PUT", "PATCH", "FOO")) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + path))
              .method(method, BodyPublishers.ofString("{}"))
              .build();
      HttpResponse<String> answer =
          Objects.requireNonNull(client).send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(method).isEqualTo(code);
      if (code == 405) {
        assertThat(answer.body())
            .contains(
                "\"message\":\"the server does not allow this method on the requested resource\"",
                "\"reason\":\"MethodNotAllowed\"");
      }
    }
  }

  @Test
  void checksThatAreExcludedInVainAreNamed() throws Exception {
    assertThat(text("/readyz?verbose&exclude=store&exclude=x&exclude=y"))
        .contains(
            "[+]store excluded: ok\n",
            "warn: some health checks cannot be excluded: no matches for \"x\",\"y\"\n")
        .endsWith("readyz check passed\n");
    assertThat(text("/readyz?exclude=x")).isEqualTo("ok");
  }

  @Test
  void metricsThatCannotBeResetAreNotSaidToBe() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + "/metrics"))
            .DELETE()
            .build();
    assertThat(Objects.requireNonNull(client).send(request, BodyHandlers.discarding()).statusCode())
        .isEqualTo(405);
  }

  @Test
  void oneObjectIsAnsweredEvenToWhoWouldWatchIt() throws Exception {
    assertThat(text(MAPS + "/small?watch=1&timeoutSeconds=1"))
        .startsWith("{\"kind\":\"ConfigMap\"");
  }

  @Test
  void theOldPathWatchesOneObject() throws Exception {
    assertThat(text(MAPS.replace("/v1/", "/v1/watch/") + "/small?timeoutSeconds=1"))
        .startsWith("{\"type\":\"ADDED\"")
        .contains("\"name\":\"small\"")
        .doesNotContain("\"name\":\"large\"");
  }
}
