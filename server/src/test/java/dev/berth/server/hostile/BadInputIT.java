package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Input that makes no sense or would cost too much, over a real socket: each gets its `Status`.
class BadInputIT {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

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

  private static TestServer server() {
    return Objects.requireNonNull(server);
  }

  private static HttpResponse<String> post(String contentType, String body)
      throws IOException, InterruptedException {
    return Requests.post(Objects.requireNonNull(client), server(), CONFIG_MAPS, contentType, body);
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return Requests.get(Objects.requireNonNull(client), server(), path);
  }

  private static void assertStatus(
      HttpResponse<String> answer, int code, String reason, String message) {
    JsonNode status = JsonTrees.parseTrusted(answer.body().getBytes(StandardCharsets.UTF_8));
    assertThat(status.path("message").asText()).isEqualTo(message);
    assertThat(answer.statusCode()).isEqualTo(code);
    assertThat(status.path("kind").asText()).isEqualTo("Status");
    assertThat(status.path("code").asInt()).isEqualTo(code);
    assertThat(status.path("reason").asText()).isEqualTo(reason);
  }

  @Test
  void whoForgotTlsIsTold() throws IOException {
    try (RawConnection plain = RawConnection.tcp(server())) {
      plain
          .out()
          .write("GET /version HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));

      assertThat(new String(plain.in().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(
              "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
  }

  @Test
  void whatIsNeitherTlsNorHttpIsClosed() throws IOException {
    try (RawConnection plain = RawConnection.tcp(server())) {
      plain.out().write("\0hello".getBytes(StandardCharsets.UTF_8));

      assertThat(plain.in().readAllBytes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, YAML})
  void tenMegabytesAreTooMany(String contentType) throws Exception {
    String body =
        "{\"metadata\":{\"name\":\"big\"},\"data\":{\"a\":\"" + "x".repeat(10 << 20) + "\"}}";
    assertStatus(
        post(contentType, body),
        413,
        "RequestEntityTooLarge",
        "Request entity too large: limit is 3145728");
  }

  @Test
  void tenMegabytesWithoutALengthAreTooMany() throws Exception {
    try (RawConnection raw = RawConnection.tls(server())) {
      raw.send(
          "POST "
              + CONFIG_MAPS
              + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      String chunk = "100000\r\n" + " ".repeat(1 << 20) + "\r\n";
      for (int i = 0; i < 10; i++) {
        raw.send(chunk);
      }
      raw.send("0\r\n\r\n");
      assertThat(raw.readUntil("\"code\":413}")).startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void whoTakesNoGzipGetsTheWholeOpenApi() throws Exception {
    HttpResponse<String> answer = get("/openapi/v2");
    assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(
            JsonTrees.parseTrusted(answer.body().getBytes(StandardCharsets.UTF_8))
                .has("definitions"))
        .isTrue();
  }

  @Test
  void everyAnswerHasAName() throws Exception {
    assertThat(get("/version").headers().firstValue("Audit-Id").orElseThrow())
        .matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  }

  @Test
  void servicesHaveNoProxy() throws Exception {
    assertStatus(
        get("/api/v1/namespaces/default/services/web/proxy/"),
        501,
        "NotImplemented",
        "services are stored only and have no address here: use the proxy of one of the service's"
            + " pods, or kubectl port-forward");
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    String deep = "{\"metadata\":{\"name\":\"deep\"},\"data\":" + "{\"a\":".repeat(100_000);
    HttpResponse<String> answer = post(JSON, deep);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("json parse error: exceeded max depth");
  }

  @Test
  void deepYamlIsRefused() throws Exception {
    HttpResponse<String> answer = post(YAML, "data: " + "[".repeat(100_000));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("(must be of type ConfigMap): yaml: ");
  }

  @Test
  void aYamlBombIsRefused() throws Exception {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 10; i++) {
      String alias = "*a" + (i - 1);
      bomb.append(
          "a%d: &a%d [%s]\n".formatted(i, i, String.join(",", Collections.nCopies(9, alias))));
    }
    HttpResponse<String> answer = post(YAML, bomb.toString());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("excessive aliasing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "[x]", "{x: y}"})
  void manyYamlAliasesAreRefused(String target) throws Exception {
    String yaml = "metadata: {name: q}\ndata: {a: [&a " + target + ",*a".repeat(500_000) + "]}";
    HttpResponse<String> answer = post(YAML, yaml);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("yaml: document contains excessive aliasing");
  }

  @Test
  void aYamlAliasInsideOfItselfIsRefused() throws Exception {
    HttpResponse<String> answer = post(YAML, "metadata: {name: q}\ndata: &a [*a]");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("yaml: document contains excessive aliasing");
  }

  static List<Arguments> bodies() {
    return List.of(
        arguments(JSON, "", "unexpected end of JSON input (\\u003cempty\\u003e)"),
        arguments(JSON, "{\"metadata\":{\"na", "unexpected end of JSON input"),
        arguments(JSON, "[1,2]", "json: cannot unmarshal array into Go value of type struct"),
        arguments(JSON, "\u0001", "json parse error: invalid character '\\\\x01' looking for"),
        arguments(JSON, "nope", "expecting 'u') (6e6f7065)"),
        arguments(JSON, "{\"kind\":1}", "into Go struct field .kind of type string ({"),
        arguments(JSON, "{\"data\":" + "9".repeat(2_000_000) + "}", "Number value length"),
        arguments(JSON, "{\"" + "k".repeat(2_000_000) + "\":1}", "Name length"),
        arguments(JSON, "{\"metadata\":{\"generation\":1e999999999}}", "of type int64"),
        arguments(JSON, "{\"data\":[]}", "cannot unmarshal array into Go struct field"),
        arguments(
            JSON,
            "{\"kind\":\"Foo\",\"apiVersion\":\"v1\"}",
            "Foo in version \\\"v1\\\" cannot be handled as a ConfigMap: no kind"),
        arguments(YAML, "a: [b", "ConfigMap): yaml: did not find expected ',' or ']' ("),
        arguments(YAML, "a: !!java.io.File [x]", "yaml: Global tag is not allowed"),
        arguments(PROTOBUF, "k8s\0" + "\u00ff".repeat(100), "cannot be read as protobuf"),
        arguments(PROTOBUF, "{}", "cannot be read as protobuf"));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void aBodyThatMakesNoSenseIsRefused(String contentType, String body, String why)
      throws Exception {
    HttpResponse<String> answer = post(contentType, body);
    assertThat(answer.body()).contains(why, "\"kind\":\"Status\"", "\"reason\":\"BadRequest\"");
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /api/v1/namespaces/%zz HTTP/1.1 | HTTP/1.1 400 Bad Request",
        "GET /api/v1/namespaces/%ff%fe HTTP/1.1 | HTTP/1.1 400 Bad Request",
        "GET /api/v1/namespaces/%00 HTTP/1.1 | HTTP/1.1 400 Bad Request",
        "GET /version HTTP/3.0 | HTTP/1.1 505 HTTP Version Not Supported",
        "nonsense | HTTP/1.1 400 Bad Request",
        "GET /api/v1/namespaces/../../secret HTTP/1.1 | HTTP/1.1 404 Not Found",
        "GET /api/v1/namespaces?labelSelector=%zz HTTP/1.1 | HTTP/1.1 400 Bad Request",
        "BREW /api/v1/pods HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "TRACE /api/v1/pods HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "LIST /api/v1/pods HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "HEAD /api/v1/pods HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "FOO /api HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "POST /api/v1/watch/namespaces HTTP/1.1 | HTTP/1.1 405 Method Not Allowed",
        "CONNECT localhost:1 HTTP/1.1 | HTTP/1.1 400 Bad Request",
        "POST /api/v1/namespaces HTTP/1.1~Content-Length: -5 | HTTP/1.1 400 Bad Request",
        "POST /api/v1/namespaces HTTP/1.1~Expect: rain | HTTP/1.1 417 Expectation Failed",
        // Two lengths are how requests are smuggled past a proxy.
        "POST /api/v1/namespaces HTTP/1.1~Content-Length: 5~Transfer-Encoding: chunked"
            + " | HTTP/1.1 400 Bad Request",
        "POST /api/v1/namespaces HTTP/1.1~Content-Length: 5~Content-Length: 6"
            + " | HTTP/1.1 400 Bad Request"
      })
  void aHeadThatMakesNoSenseIsRefused(String head, String answer) throws IOException {
    assertThat(statusLine(head)).isEqualTo(answer);
  }

  @Test
  void aHeadThatIsTooLargeIsRefused() throws IOException {
    assertThat(statusLineOfLarge("GET /version HTTP/1.1~X: " + "y".repeat(100_000)))
        .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
    assertThat(statusLineOfLarge("GET /version HTTP/1.1" + "~X: y".repeat(10_000)))
        .isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
    assertThat(statusLineOfLarge("GET /" + "y".repeat(100_000) + " HTTP/1.1"))
        .isEqualTo("HTTP/1.1 414 URI Too Long");
  }

  /// Who is still sending when the server closes may lose its answer.
  private static String statusLineOfLarge(String head) throws IOException {
    SocketException last = new SocketException("never tried");
    for (int attempt = 0; attempt < 10; attempt++) {
      try {
        return statusLine(head);
      } catch (SocketException e) {
        last = e;
      }
    }
    throw last;
  }

  /// @param head lines separated by `~`
  private static String statusLine(String head) throws IOException {
    try (RawConnection raw = RawConnection.tls(server())) {
      raw.send(head.replace("~", "\r\n") + "\r\nHost: localhost\r\n\r\n");
      return raw.readUntil("\r\n").strip();
    }
  }

  @Test
  void selectorsAndOptionsThatMakeNoSenseAreRefused() throws Exception {
    assertStatus(
        get("/api/v1/pods?labelSelector=a%20in%20("),
        400,
        "BadRequest",
        "unable to parse requirement: found '', expected: ',' or ')'");
    assertStatus(
        get("/api/v1/pods?labelSelector=" + "a,".repeat(10_000)),
        400,
        "BadRequest",
        "unable to parse requirement: found '', expected: identifier after ','");
    assertStatus(
        get("/api/v1/pods?fieldSelector=spec.foo%3D1"),
        400,
        "BadRequest",
        "field label not supported: spec.foo");
    assertThat(get("/api/v1/pods?limit=99999999999999999999").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "namespaces/default/configmaps/a%25b | Name parameter invalid: \"a%b\": may not contain '%'",
        "namespaces/default/configmaps/a%2Fb%25 | Name parameter invalid: \"a/b%\": may not contain '/';may not contain '%'",
        "namespaces/default/configmaps/. | Name parameter invalid: \".\": may not be '.'",
        "namespaces/default/configmaps/%2E%2E | Name parameter invalid: \"..\": may not be '..'",
        "namespaces/default/pods/a%25b/status | Name parameter invalid: \"a%b\": may not contain '%'",
        "namespaces/a%25b | Name parameter invalid: \"a%b\": may not contain '%'",
        "namespaces/a%25b/configmaps/x | Namespace parameter invalid: \"a%b\": may not contain '%'",
      })
  void namesThatCannotBeInAPathAreRefused(String path, String message) throws Exception {
    assertStatus(get("/api/v1/" + path), 400, "BadRequest", message);
  }

  @Test
  void namesThatOnlyLookOddAreNotFound() throws Exception {
    assertStatus(get(CONFIG_MAPS + "/.a"), 404, "NotFound", "configmaps \".a\" not found");
  }

  @Test
  void optionsOfLogsAreCheckedBeforeThePod() throws Exception {
    assertStatus(
        get("/api/v1/namespaces/default/pods/g/log?tailLines=-1&sinceSeconds=0"),
        422,
        "Invalid",
        "PodLogOptions \"g\" is invalid: [tailLines: Invalid value: -1: must be greater than or"
            + " equal to 0, sinceSeconds: Invalid value: 0: must be greater than 0]");
  }

  @Test
  void kindsAndGroupsThatDoNotExistAreNotFound() throws Exception {
    assertStatus(
        get("/api/v1/foos"), 404, "NotFound", "the server could not find the requested resource");
    assertThat(get("/apis/foo.example/v1/foos").body()).isEqualTo("404 page not found\n");
    assertStatus(
        post("application/xml", "<a/>"),
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include:"
            + " application/json, application/yaml, application/vnd.kubernetes.protobuf");
  }
}
