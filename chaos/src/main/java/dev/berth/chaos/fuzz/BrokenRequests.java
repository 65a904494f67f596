package dev.berth.chaos.fuzz;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.history.RunLog;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/// Sends valid HTTP with broken bodies, patches and parameters. The server must accept or refuse
/// each request, and never fail. Most bodies are valid objects with a few changes: noise alone
/// would be refused by the first parser and reach nothing behind it.
final class BrokenRequests implements AutoCloseable {
  private static final String CORE = "/api/v1/namespaces/" + HostileClient.NAMESPACE + "/";

  private static final List<String> OBJECTS =
      List.of(
          """
          {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"fuzz","labels":{"a":"b"}},"data":{"a":"b"}}\
          """,
          """
          {"apiVersion":"v1","kind":"Secret","metadata":{"name":"fuzz"},"type":"Opaque","data":{"a":"aGVsbG8="}}\
          """,
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"fuzz"},"spec":{"schedulerName":"nobody",
          "containers":[{"name":"a","image":"b","resources":{"limits":{"cpu":"1"}}}]}}\
          """,
          """
          apiVersion: v1
          kind: ConfigMap
          metadata: {name: fuzz, annotations: &a {x: y}}
          data: *a
          """,
          "k8s\u0000\n\u000f\n\u0002v1\u0012\tConfigMap\u0012\n\n\b\n\u0004fuzz");

  private static final List<String> PATCHES =
      List.of(
          """
          [{"op":"replace","path":"/data/a","value":"c"},{"op":"test","path":"/kind","value":"x"}]\
          """,
          """
          {"metadata":{"labels":{"a":null}},"data":{"a":"c"},"$patch":"replace"}\
          """,
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fuzz}\ndata: {a: z}\n");

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  /// The query parameters that the API server parses.
  private static final List<String> PARAMETERS =
      List.of(
          "watch",
          "resourceVersion",
          "resourceVersionMatch",
          "limit",
          "continue",
          "labelSelector",
          "fieldSelector",
          "timeoutSeconds",
          "fieldManager",
          "dryRun",
          "propagationPolicy",
          "gracePeriodSeconds",
          "pretty",
          "allowWatchBookmarks",
          "sendInitialEvents");

  /// Limit of an answer: some requests are watches by chance.
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  private final URI server;
  private final List<String> paths;
  private final Random random;
  private final ByteMutation mutation;
  private final RunLog log;
  private final HttpClient http;

  /// @param paths further paths for requests with any method
  BrokenRequests(BenchCredentials credentials, List<String> paths, Random random, RunLog log) {
    this.server = credentials.server();
    this.paths = List.copyOf(paths);
    this.random = random;
    this.mutation = new ByteMutation(random);
    this.log = log;
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .sslContext(credentials.tls())
            .build();
  }

  void send() throws InterruptedException {
    String target = target();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(target)).timeout(ANSWER_LIMIT);
    String method = pick(List.of("GET", "POST", "PUT", "PATCH", "DELETE"));
    byte[] body = method.equals("GET") ? new byte[0] : body(method);
    request.header("Content-Type", pick(TYPES)).method(method, BodyPublishers.ofByteArray(body));
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      log.count("fuzzed requests answered %dxx".formatted(answer.statusCode() / 100));
      // 503 and 504 are how a busy server refuses.
      if (answer.statusCode() >= 500 && answer.statusCode() != 503 && answer.statusCode() != 504) {
        report(method, target, body, answer);
      }
    } catch (IOException _) {
      log.count("fuzzed requests without an answer");
    }
  }

  /// Reports a failure with the beginnings of both bodies, which is enough to repeat the request.
  private void report(String method, String target, byte[] body, HttpResponse<byte[]> answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    String sent = new String(body, StandardCharsets.ISO_8859_1);
    log.violation(
        "fuzzed requests",
        "%s %s with %s answered %d %s"
            .formatted(
                method,
                target,
                sent.substring(0, Math.min(400, sent.length())),
                answer.statusCode(),
                text.substring(0, Math.min(600, text.length()))));
  }

  /// A path and a few parameters, of which each may be broken.
  private String target() {
    String path =
        switch (random.nextInt(3)) {
          case 0 -> pick(paths);
          case 1 -> CORE + pick(List.of("configmaps", "secrets", "pods", "events"));
          default -> CORE + pick(List.of("configmaps/fuzz", "secrets/fuzz", "pods/fuzz/log"));
        };
    StringBuilder target = new StringBuilder(path);
    int parameters = random.nextInt(3);
    for (int i = 0; i < parameters; i++) {
      String name = pick(PARAMETERS);
      String value =
          new String(mutation.change(pick(List.of("1", "a=b", "x"))), StandardCharsets.UTF_8);
      target
          .append(i == 0 ? "?" : "&")
          .append(name)
          .append('=')
          .append(
              URLEncoder.encode(
                  value.substring(0, Math.min(500, value.length())), StandardCharsets.UTF_8));
    }
    return target.toString();
  }

  /// A body: in one of ten cases noise, else a valid document with changes.
  private byte[] body(String method) {
    String good = method.equals("PATCH") ? pick(PATCHES) : pick(OBJECTS);
    return random.nextInt(10) == 0 ? mutation.noise(20_000) : mutation.change(good);
  }

  private String pick(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
