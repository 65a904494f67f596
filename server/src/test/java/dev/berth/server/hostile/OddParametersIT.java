package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parameters and headers that make no sense are mistakes of the client: none is answered with 500.
class OddParametersIT {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final List<String> VALUES =
      List.of(
          "",
          "abc",
          "-1",
          "0",
          "1.5",
          "1e9",
          "9223372036854775807",
          "9223372036854775808",
          "18446744073709551615",
          "99999999999999999999",
          "true",
          "=",
          "a=b=c",
          "!",
          "((",
          "\u0000",
          "\ud83d\ude00",
          "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTksInN0YXJ0IjoiYSJ9",
          "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6OTk5OTk5OTk5OTksInN0YXJ0IjoiYSJ9",
          "bnVsbA",
          "W10");

  private static @Nullable TestServer server;
  private static @Nullable HttpClient client;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    server = TestServer.start(directory);
    client = server.admin();
  }

  @AfterAll
  static void stop() throws IOException {
    client().close();
    server().close();
  }

  private static TestServer server() {
    return Objects.requireNonNull(server);
  }

  private static HttpClient client() {
    return Objects.requireNonNull(client);
  }

  private static HttpResponse<String> send(String line, String body, String... headers)
      throws IOException, InterruptedException {
    int space = line.indexOf(' ');
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server().url() + line.substring(space + 1)))
            .method(line.substring(0, space), BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client().send(request.build(), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource({
    "GET /api/v1/namespaces/default/configmaps?resourceVersion=abc",
    "GET /api/v1/namespaces/default/configmaps?watch=1&resourceVersion=abc",
    "GET /api/v1/namespaces/default/configmaps/x?resourceVersion=abc",
    "DELETE /api/v1/namespaces/default/configmaps?resourceVersion=abc",
  })
  void aResourceVersionThatIsNoNumberIsABadRequest(String line) throws Exception {
    HttpResponse<String> answer = send(line, "");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "resourceVersion: Invalid value: \\\"abc\\\": strconv.ParseUint: parsing \\\"abc\\\":"
                + " invalid syntax");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resourceVersion",
        "limit",
        "continue",
        "timeoutSeconds",
        "labelSelector",
        "fieldSelector",
        "sendInitialEvents",
        "allowWatchBookmarks",
        "pretty",
        "includeObject"
      })
  void noParameterOfAReadMakesTheServerFail(String name) throws Exception {
    List<String> failures = new ArrayList<>();
    for (String value : VALUES) {
      String query = name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
      List<String> lines =
          List.of(
              "GET " + MAPS + "?" + query,
              "GET " + MAPS + "?limit=1&" + query,
              "GET " + MAPS + "?resourceVersionMatch=Exact&" + query,
              "GET " + MAPS + "?watch=1&timeoutSeconds=1&limit=abc&" + query,
              "GET " + MAPS + "/kube-root-ca.crt?" + query,
              "GET /api/v1/namespaces/default/pods/none/log?" + query);
      for (String line : lines) {
        collect(failures, line, "");
      }
    }
    assertThat(failures).isEmpty();
  }

  /// Nothing ever comes, so only the head of the answer is looked at.
  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "9223372036854775807", "4294967296"})
  void aWatchMayLastAnyNumberOfSeconds(String seconds) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(server().url() + MAPS + "?watch=1&timeoutSeconds=" + seconds))
            .build();
    HttpResponse<InputStream> answer = client().send(request, BodyHandlers.ofInputStream());
    try (InputStream _ = answer.body()) {
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gracePeriodSeconds",
        "propagationPolicy",
        "orphanDependents",
        "dryRun",
        "fieldManager",
        "fieldValidation",
        "force"
      })
  void noParameterOfAWriteMakesTheServerFail(String name) throws Exception {
    String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"odd\"}}";
    List<String> failures = new ArrayList<>();
    for (String value : VALUES) {
      String query = name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
      collect(failures, "POST " + MAPS + "?" + query, body, "Content-Type", "application/json");
      collect(failures, "PUT " + MAPS + "/odd?" + query, body, "Content-Type", "application/json");
      collect(
          failures,
          "PATCH " + MAPS + "/odd?" + query,
          body,
          "Content-Type",
          "application/apply-patch+yaml");
      collect(failures, "DELETE " + MAPS + "/odd?" + query, "");
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aPodIsDeletedWithAnyNumberOfSeconds() throws Exception {
    String pod =
        "{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"nodeName\":\"n\",\"automountServiceAccountToken\":false,"
            + "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    String account = "{\"metadata\":{\"name\":\"default\"}}";
    send(
        "POST /api/v1/namespaces/default/serviceaccounts",
        account,
        "Content-Type",
        "application/json");
    List<String> failures = new ArrayList<>();
    for (String seconds : VALUES) {
      assertThat(
              send("POST /api/v1/namespaces/default/pods", pod, "Content-Type", "application/json")
                  .statusCode())
          .isEqualTo(201);
      String query = "?gracePeriodSeconds=" + URLEncoder.encode(seconds, StandardCharsets.UTF_8);
      collect(failures, "DELETE /api/v1/namespaces/default/pods/odd" + query, "");
      send("DELETE /api/v1/namespaces/default/pods/odd?gracePeriodSeconds=0", "");
    }
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Impersonate-Group", "Impersonate-Uid", "Impersonate-Extra-Scopes"})
  void whoImpersonatesNoUserIsRefused(String header) throws Exception {
    HttpResponse<String> answer = send("GET " + MAPS, "", header, "x");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("without impersonating a user");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Accept",
        "Accept-Encoding",
        "Authorization",
        "Audit-ID",
        "Content-Type",
        "If-None-Match",
        "Impersonate-User",
        "Impersonate-Extra-%zz",
        "Origin",
        "Sec-WebSocket-Key",
        "User-Agent",
        "X-Forwarded-For"
      })
  void noHeaderMakesTheServerFail(String name) throws Exception {
    List<String> failures = new ArrayList<>();
    for (String value :
        List.of(
            "",
            "abc",
            ";;;=,,,",
            "*/*;q=abc",
            "application/json;as=Table;v=",
            "Bearer",
            "Bearer a.b.c",
            "Basic !")) {
      for (String line : List.of("GET " + MAPS, "POST " + MAPS, "GET /apis", "GET /openapi/v3")) {
        collect(failures, line, line.startsWith("POST") ? "{}" : "", name, value);
      }
    }
    assertThat(failures).isEmpty();
  }

  /// 504 is the answer to a revision that the server has not reached.
  private static void collect(List<String> failures, String line, String body, String... headers)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = send(line, body, headers);
    if (answer.statusCode() >= 500 && answer.statusCode() != 504) {
      failures.add(line + " " + String.join(": ", headers) + " -> " + answer.body());
    }
  }
}
