package dev.berth.server.http.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The addresses and forms of OpenAPI documents.
class OpenApiEndpointIT {
  private static final String DOCUMENT = "/openapi/v3/apis/node.k8s.io/v1";

  private static @Nullable TestServer server;
  private static @Nullable HttpClient client;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    server = TestServer.start(directory);
    client = server.admin();
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null && client != null) {
      client.close();
      server.close();
    }
  }

  private static HttpResponse<byte[]> get(String path, String accept)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(Objects.requireNonNull(server).url() + path))
            .header("Accept", accept)
            .build();
    return Objects.requireNonNull(client).send(request, BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void anAddressOfOlderContentLeadsToTheNewer() throws Exception {
    JsonNode index = JsonTrees.parseTrusted(get("/openapi/v3", "application/json").body());
    String address =
        index.path("paths").path("apis/node.k8s.io/v1").path("serverRelativeURL").asText();

    HttpResponse<byte[]> old = get(DOCUMENT + "?hash=BAD", "application/json");
    assertThat(old.statusCode()).isEqualTo(301);
    assertThat(header(old, "Location")).isEqualTo(address);
    assertThat(old.body()).isEmpty();

    HttpResponse<byte[]> fresh = get(address, "application/json");
    assertThat(fresh.statusCode()).isEqualTo(200);
    assertThat(header(fresh, "Cache-Control")).isEqualTo("public, immutable");
    HttpResponse<byte[]> plain = get(DOCUMENT, "application/json");
    assertThat(header(plain, "Cache-Control")).isEqualTo("no-cache, private");
    assertThat(plain.body()).isEqualTo(fresh.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|200",
        "application/*;q=0.5|200",
        "application/com.github.proto-openapi.spec.v3@v1.0+protobuf, application/json|200",
        "application/com.github.proto-openapi.spec.v3@v1.0+protobuf|406",
        "text/html|406",
      })
  void whoCannotReadJsonIsToldSo(String accept, int code) throws Exception {
    assertThat(get(DOCUMENT, accept).statusCode()).isEqualTo(code);
  }
}
