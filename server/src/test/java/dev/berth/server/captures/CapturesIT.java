package dev.berth.server.captures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replays requests that a real 1.32 server answered, in their order, and compares the answers.
///
/// Differences that we know of are in `known-differences.tsv`, each with its reason; one that is
/// not there fails the test, and so does an entry that no longer differs.
class CapturesIT {
  private static final String DIRECTORY = "/dev/berth/server/captures/";

  @TempDir Path dataDir;

  @Test
  void answersAreThoseOfTheCapturedServer() throws Exception {
    Map<String, List<String>> differences = new LinkedHashMap<>();
    try (TestServer server = TestServer.start(dataDir)) {
      Replay replay = new Replay(server, preparations());
      for (String line : lines("captures.jsonl")) {
        Capture capture = Capture.parse(line);
        List<String> found = replay.run(capture);
        if (!found.isEmpty()) {
          differences.put(capture.label(), found);
        }
      }
    }
    List<String> unexpected = new ArrayList<>();
    Set<String> unused = new LinkedHashSet<>();
    List<KnownDifference> known = known();
    known.stream().filter(KnownDifference::mustOccur).forEach(k -> unused.add(k.toString()));
    differences.forEach(
        (label, found) -> {
          for (String difference : found) {
            List<KnownDifference> excuses =
                known.stream().filter(k -> k.covers(label, difference)).toList();
            excuses.forEach(k -> unused.remove(k.toString()));
            if (excuses.isEmpty()) {
              unexpected.add(label + " " + difference);
            }
          }
        });
    assertThat(String.join("\n", unexpected))
        .as("differences without a reason in known-differences.tsv")
        .isEmpty();
    assertThat(unused).as("known differences that no longer occur").isEmpty();
  }

  /// One line of the list: a label (`*` for all), a path prefix, a reason.
  private record KnownDifference(String label, String path, String reason) {
    boolean mustOccur() {
      return !reason.startsWith("sometimes:");
    }

    boolean covers(String otherLabel, String difference) {
      return (label.equals("*") || label.equals(otherLabel)) && difference.startsWith(path);
    }
  }

  private static List<KnownDifference> known() throws IOException {
    return lines("known-differences.tsv").stream()
        .map(line -> line.split("\t", 3))
        .map(parts -> new KnownDifference(parts[0], parts[1], parts[2]))
        .toList();
  }

  /// Requests that the captured server had seen between two captures: label, method, path, body.
  private static Map<String, List<String[]>> preparations() throws IOException {
    Map<String, List<String[]>> all = new LinkedHashMap<>();
    for (String line : lines("preparations.tsv")) {
      String[] parts = line.split("\t", 5);
      all.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts);
    }
    return all;
  }

  private static List<String> lines(String file) throws IOException {
    InputStream in = Objects.requireNonNull(CapturesIT.class.getResourceAsStream(DIRECTORY + file));
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }
  }

  /// The conversation with the server.
  private static final class Replay {
    private final TestServer server;
    private final Map<String, List<String[]>> preparations;
    private final HttpClient admin;
    private final HttpClient bob;
    private final HttpClient anonymous;
    private final Comparison comparison = new Comparison();

    Replay(TestServer server, Map<String, List<String[]>> preparations) {
      this.server = server;
      this.preparations = preparations;
      this.admin = server.admin();
      this.bob = server.user("bob");
      this.anonymous = server.anonymous();
    }

    List<String> run(Capture capture) throws IOException, InterruptedException {
      for (String[] step : preparations.getOrDefault(capture.label(), List.of())) {
        prepare(capture.label(), step);
      }
      HttpResponse<String> response = send(capture);
      List<String> found = new ArrayList<>();
      if (response.statusCode() != capture.status()) {
        found.add(
            "(status): expected %d, was %d".formatted(capture.status(), response.statusCode()));
      }
      List<String> warnings = response.headers().allValues("warning");
      if (!Set.copyOf(warnings).equals(Set.copyOf(capture.warnings()))) {
        found.add("(warnings): expected %s, was %s".formatted(capture.warnings(), warnings));
      }
      if (!capture.body().asText().equals("(omitted)")) {
        found.addAll(comparison.differences(documents(capture.body()), documents(response.body())));
      }
      return found;
    }

    private void prepare(String label, String[] step) throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(server.url() + step[2]))
              .header("User-Agent", "probe/1")
              .method(step[1], HttpRequest.BodyPublishers.ofString(rewrite(step[4])));
      if (!step[3].isEmpty()) {
        request.header("Content-Type", step[3]);
      }
      HttpResponse<String> response =
          admin.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode())
          .as("preparation of %s: %s %s: %s", label, step[1], step[2], response.body())
          .isLessThan(300);
    }

    private HttpResponse<String> send(Capture capture) throws IOException, InterruptedException {
      String body =
          capture.label().equals("too-large")
              ? "{\"data\":{\"a\":\"" + "x".repeat(3 * 1024 * 1024 + 10) + "\"}}"
              : rewrite(capture.requestBody());
      if (capture.label().equals("token-review")) {
        body =
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":{\"token\":\"%s\"}}"
                .formatted(comparison.ours().get("(token)"));
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(server.url() + shortened(rewrite(capture.path()))))
              .header("User-Agent", "probe/1")
              .method(capture.method(), HttpRequest.BodyPublishers.ofString(body));
      if (!capture.accept().isEmpty()) {
        request.header("Accept", capture.accept());
      }
      if (!capture.contentType().isEmpty()) {
        request.header("Content-Type", capture.contentType());
      }
      if (capture.label().equals("unauthorized")) {
        request.header("Authorization", "Bearer nope");
      }
      try {
        return client(capture.label()).send(request.build(), HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        throw new IOException("no answer to " + capture.label(), e);
      }
    }

    /// What takes more than a minute in the capture is cut to seconds.
    private static String shortened(String path) {
      return path.replace("timeoutSeconds=75", "timeoutSeconds=3");
    }

    private HttpClient client(String label) {
      if (label.startsWith("anonymous-") || label.equals("unauthorized")) {
        return anonymous;
      }
      return label.startsWith("rbac-forbidden") ? bob : admin;
    }

    /// Puts our ids, revisions, tokens and generated names in the place of the captured ones.
    private String rewrite(String text) {
      String rewritten = text;
      for (Map.Entry<String, String> entry : comparison.ours().entrySet()) {
        String captured = entry.getKey();
        if (captured.startsWith("rv:")) {
          String revision = captured.substring(3);
          rewritten =
              rewritten
                  .replaceAll(
                      "\"resourceVersion\": ?\"" + revision + "\"",
                      "\"resourceVersion\":\"@" + entry.getValue() + "\"")
                  .replaceAll(
                      "resourceVersion=" + revision + "(&|$)",
                      "resourceVersion=@" + entry.getValue() + "$1");
        } else if (captured.length() > 20) {
          rewritten = rewritten.replace(captured, entry.getValue());
        }
      }
      // What a preparation made was never compared: such ids are left open.
      return rewritten
          .replaceAll("\"resourceVersion\": ?\"[0-9]{2,}\"", "\"resourceVersion\":\"\"")
          .replaceAll("\"uid\": ?\"531d9a91-[0-9a-f-]+\"", "\"uid\":\"\"")
          .replace("\":\"@", "\":\"")
          .replace("resourceVersion=@", "resourceVersion=");
    }

    /// One document, a stream of documents as an array, or plain text.
    private static JsonNode documents(JsonNode captured) {
      return captured.isTextual() ? documents(captured.textValue()) : captured;
    }

    private static JsonNode documents(String text) {
      try {
        List<JsonNode> parsed = new ArrayList<>();
        for (String line : text.strip().split("\n", -1)) {
          parsed.add(JsonTrees.parse(line.getBytes(StandardCharsets.UTF_8)).tree());
        }
        return parsed.size() == 1 ? parsed.getFirst() : JsonTrees.array().addAll(parsed);
      } catch (JsonSyntaxException e) {
        return TextNode.valueOf(text);
      }
    }
  }
}
