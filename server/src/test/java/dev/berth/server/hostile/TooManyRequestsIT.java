package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.guard.InflightLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server without priority and fairness that serves one request of a kind at once, and a user who
/// takes the place.
class TooManyRequestsIT {
  private static final String JSON = "application/json";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path directory;
  private TestServer server;
  private HttpClient admin;
  private HttpClient ann;

  @BeforeEach
  void start() throws Exception {
    server =
        TestServer.start(
            directory,
            config -> config.with(HttpConfig.STANDARD.with(new InflightLimits(1, 1, false))));
    admin = server.admin();
    ann = server.user("ann");
    String binding =
        """
        {"metadata":{"name":"ann"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"ann"}]}
        """;
    String path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    assertThat(Requests.post(admin, server, path, JSON, binding).statusCode()).isEqualTo(201);
    Gauges.await(() -> status(ann, "/api/v1/namespaces"), status -> status == 200);
  }

  @AfterEach
  void stop() throws IOException {
    admin.close();
    ann.close();
    server.close();
  }

  private int status(HttpClient client, String path) {
    try {
      return Requests.get(client, server, path).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> create(HttpClient client, String name)
      throws IOException, InterruptedException {
    return Requests.post(
        client, server, CONFIG_MAPS, JSON, "{\"metadata\":{\"name\":\"" + name + "\"}}");
  }

  private String metric(String start) throws IOException, InterruptedException {
    return Requests.get(admin, server, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElse("");
  }

  /// A POST whose body is not complete holds the only place for writes.
  private RawConnection slowWrite() throws IOException {
    RawConnection holder = RawConnection.tls(server, server.userTls("ann"), "http/1.1");
    holder.send(
        "POST " + CONFIG_MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
    return holder;
  }

  @Test
  void oneWriteTooManyIsRefusedUntilThePlaceIsFree() throws Exception {
    try (RawConnection _ = slowWrite()) {
      Gauges.await(this::mutating, taken -> taken == 1);
      HttpResponse<String> refused = create(ann, "a");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(refused.body())
          .isEqualTo(
              "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                  + "\"message\":\"Too many requests, please try again later.\","
                  + "\"reason\":\"TooManyRequests\",\"details\":{\"retryAfterSeconds\":1},"
                  + "\"code\":429}");
      assertThat(metric("apiserver_request_terminations_total{"))
          .isEqualTo(
              "apiserver_request_terminations_total{code=\"429\",component=\"apiserver\","
                  + "group=\"\",resource=\"configmaps\",scope=\"namespace\",subresource=\"\","
                  + "verb=\"CREATE\",version=\"v1\"} 1.0");
    }
    Gauges.await(this::mutating, taken -> taken == 0);
    assertThat(create(ann, "a").statusCode()).isEqualTo(201);
  }

  @Test
  void whoMayNotWriteHoldsNoPlace() throws Exception {
    try (RawConnection stranger = RawConnection.tls(server, server.userTls("eve"), "http/1.1")) {
      stranger.send(
          "POST " + CONFIG_MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
      // The server waits for the rest of the body, so that the stranger reads its answer.
      Gauges.await(new Gauges(server, admin)::requests, waiting -> waiting == 1);
      assertThat(mutating()).isZero();
      assertThat(create(ann, "d").statusCode()).isEqualTo(201);
    }
  }

  private long mutating() {
    try {
      String line = metric("apiserver_current_inflight_requests{request_kind=\"mutating\"}");
      return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void administratorsReadersHealthAndStreamsAreNotHeldUp() throws Exception {
    try (RawConnection _ = slowWrite()) {
      Gauges.await(this::mutating, taken -> taken == 1);
      assertThat(create(admin, "b").statusCode()).isEqualTo(201);
      assertThat(status(ann, CONFIG_MAPS)).isEqualTo(200);
      assertThat(status(ann, "/readyz")).isEqualTo(200);
      assertThat(status(ann, CONFIG_MAPS + "?watch=1&timeoutSeconds=1")).isEqualTo(200);
      assertThat(status(ann, "/api/v1/namespaces/default/pods/x/log")).isEqualTo(404);
    }
  }

  @Test
  void anAnswerThatIsNotTakenKeepsItsPlace() throws Exception {
    for (int i = 0; i < 60; i++) {
      String body =
          "{\"metadata\":{\"name\":\"c%d\"},\"data\":{\"a\":\"%s\"}}"
              .formatted(i, "x".repeat(100_000));
      assertThat(Requests.post(admin, server, CONFIG_MAPS, JSON, body).statusCode()).isEqualTo(201);
    }
    try (RawConnection holder = RawConnection.tls(server, server.userTls("ann"), "http/1.1")) {
      holder.send("GET " + CONFIG_MAPS + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      Gauges.await(() -> status(ann, "/api/v1/namespaces"), status -> status == 429);
      assertThat(status(ann, "/livez")).isEqualTo(200);
      try (RawConnection watch = RawConnection.tls(server, server.userTls("ann"), "http/1.1")) {
        watch.send("GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(watch.readUntil("\n")).startsWith("HTTP/1.1 200 ");
      }
      assertThat(status(admin, "/api/v1/namespaces")).isEqualTo(200);
    }
    Gauges.await(() -> status(ann, "/api/v1/namespaces"), status -> status == 200);
  }

  @Test
  void wordsThatClientsInventDoNotBecomeMetrics() throws Exception {
    try (HttpClient nobody = server.anonymous()) {
      status(nobody, "/apis/invented.example/v1/inventions/x/y");
      status(ann, "/api/v1/inventions");
      status(ann, "/api/v1/namespaces/default/pods/x/invention");
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/pods"))
              .method("INVENT", HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(ann.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
    }
    assertThat(Requests.get(admin, server, "/metrics").body())
        .contains("verb=\"OTHER\"")
        .doesNotContainIgnoringCase("invent");
  }
}
