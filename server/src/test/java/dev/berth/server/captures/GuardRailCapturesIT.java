package dev.berth.server.captures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Replays what a real 1.35 server answered about pod security, limits and quotas: refusals word by
/// word, and of accepted objects what these rules write.
class GuardRailCapturesIT {
  private static final List<String> COMPARED =
      List.of(
          "/spec/limits",
          "/spec/hard",
          "/spec/containers/0/resources",
          "/metadata/annotations",
          "/metadata/labels",
          "/status/qosClass",
          "/status/phase");

  @TempDir Path dataDir;

  @ParameterizedTest
  @ValueSource(strings = {"pod-security", "limits", "quotas"})
  void answersAreThoseOfTheCapturedServer(String file) throws Exception {
    List<String> differences = new ArrayList<>();
    try (TestServer server = TestServer.start(dataDir)) {
      HttpClient admin = server.admin();
      makeAccount(server, admin, "default");
      for (String line : lines(file)) {
        JsonNode capture = JsonTrees.parseTrusted(line.getBytes(StandardCharsets.UTF_8));
        HttpResponse<String> response = send(server, admin, capture);
        compare(capture, response)
            .forEach(one -> differences.add(capture.path("label").asText() + " " + one));
        if (capture.path("path").asText().equals("/api/v1/namespaces")
            && response.statusCode() == 201) {
          makeAccount(server, admin, capture.at("/request/metadata/name").asText());
        }
      }
    }
    assertThat(String.join("\n", differences)).isEmpty();
  }

  private static List<String> compare(JsonNode capture, HttpResponse<String> response) {
    List<String> found = new ArrayList<>();
    JsonNode expected = capture.path("response");
    JsonNode actual = JsonTrees.parseTrusted(response.body().getBytes(StandardCharsets.UTF_8));
    if (response.statusCode() != capture.path("status").asInt()) {
      found.add("status %s, was %s".formatted(capture.path("status"), response.body()));
    }
    Set<String> warnings = Set.copyOf(response.headers().allValues("warning"));
    Set<String> advised =
        Set.copyOf(capture.path("warnings").valueStream().map(JsonNode::asText).toList());
    if (!warnings.equals(advised)) {
      found.add("warnings %s, were %s".formatted(advised, warnings));
    }
    if (response.statusCode() >= 400 && !expected.equals(actual)) {
      found.add("answer %s, was %s".formatted(expected, actual));
    }
    for (String place : COMPARED) {
      if (!expected.at(place).equals(actual.at(place))) {
        found.add("%s %s, was %s".formatted(place, expected.at(place), actual.at(place)));
      }
    }
    if (expected.path("kind").asText().equals("Table")) {
      compareTables(expected, actual, found);
    }
    return found;
  }

  private static void compareTables(JsonNode expected, JsonNode actual, List<String> found) {
    for (String field : List.of("name", "type", "format", "priority")) {
      List<JsonNode> wanted = expected.path("columnDefinitions").findValues(field);
      if (!wanted.equals(actual.path("columnDefinitions").findValues(field))) {
        found.add("columns %s, were %s".formatted(wanted, actual.path("columnDefinitions")));
      }
    }
    int columns = expected.path("columnDefinitions").size();
    assertThat(actual.at("/rows/0/cells")).hasSize(columns);
    // The last one is a time, or an age.
    for (int i = 0; i < columns - 1; i++) {
      if (!expected.at("/rows/0/cells").get(i).equals(actual.at("/rows/0/cells").get(i))) {
        found.add("row %s, was %s".formatted(expected.path("rows"), actual.path("rows")));
      }
    }
  }

  private static HttpResponse<String> send(TestServer server, HttpClient admin, JsonNode capture)
      throws IOException, InterruptedException {
    JsonNode body = capture.path("request");
    return admin.send(
        HttpRequest.newBuilder(URI.create(server.url() + capture.path("path").asText()))
            .header("Content-Type", capture.path("contentType").asText())
            .header("Accept", capture.path("accept").asText())
            .method(
                capture.path("method").asText(),
                HttpRequest.BodyPublishers.ofString(body.isObject() ? body.toString() : ""))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /// There are no controllers here that would make it.
  private static void makeAccount(TestServer server, HttpClient admin, String namespace)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        admin.send(
            HttpRequest.newBuilder(
                    URI.create(
                        server.url() + "/api/v1/namespaces/" + namespace + "/serviceaccounts"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"default\"}}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  private static List<String> lines(String file) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            GuardRailCapturesIT.class.getResourceAsStream(
                "/dev/berth/server/captures/" + file + ".jsonl"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
