package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.guard.InflightLimits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests that authorization refuses need seats as others do.
class ForbiddenFloodIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String NODES = "/api/v1/nodes";
  private static final String NODE_PROXY = "/api/v1/nodes/a/proxy/metrics";

  /// More than there are seats for one user, and less than a queue is long.
  private static final int CONNECTIONS = 30;

  @TempDir Path directory;
  private TestServer server;
  private HttpClient admin;
  private HttpClient mallory;

  @BeforeEach
  void start() throws Exception {
    server =
        TestServer.start(
            directory,
            config -> config.with(HttpConfig.STANDARD.with(new InflightLimits(20, 10, true))));
    admin = server.admin();
    mallory = server.user("mallory");
    HttpResponse<String> answer =
        Requests.post(
            admin,
            server,
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            "application/json",
            """
            {"metadata":{"name":"mallory"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"edit"},
             "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"mallory"}]}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    Gauges.await(() -> Gauges.code(mallory, server, CONFIG_MAPS), code -> code == 200);
  }

  @AfterEach
  void stop() throws IOException {
    admin.close();
    mallory.close();
    server.close();
  }

  @Test
  void aForbiddenRequestWaitsForASeatLikeAnyOther() throws Exception {
    List<RawConnection> slow = new ArrayList<>();
    try (HttpClient eve = server.user("eve");
        HttpClient nobody = server.anonymous();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        RawConnection one = RawConnection.tls(server, server.userTls("mallory"), "http/1.1");
        slow.add(one);
        one.send(
            "POST " + CONFIG_MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
      }
      Gauges gauges = new Gauges(server, admin);
      Gauges.await(gauges::queued, waiting -> waiting > 0);
      List<Future<HttpResponse<String>>> refused = new ArrayList<>();
      for (String path : List.of(NODES, NODE_PROXY)) {
        Callable<HttpResponse<String>> ask = () -> Requests.get(mallory, server, path);
        refused.add(threads.submit(ask));
      }

      assertThat(Gauges.code(eve, server, NODES)).isEqualTo(403);
      assertThat(Gauges.code(eve, server, NODE_PROXY)).isEqualTo(403);
      assertThat(Gauges.code(nobody, server, "/readyz")).isEqualTo(200);
      assertThat(Gauges.code(admin, server, NODES)).isEqualTo(200);
      for (Future<HttpResponse<String>> one : refused) {
        assertThat(one.get().statusCode()).isEqualTo(429);
        assertThat(one.get().body()).contains("time-out: no seat became free in 15 s");
      }
    } finally {
      for (RawConnection one : slow) {
        one.close();
      }
    }
    Gauges.await(() -> Gauges.code(mallory, server, NODES), code -> code == 403);
    Gauges.await(() -> Gauges.code(mallory, server, NODE_PROXY), code -> code == 403);
  }

  @Test
  void aFloodOfForbiddenRequestsIsDividedLikeAnyOther() throws Exception {
    AtomicInteger forbidden = new AtomicInteger();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Long> unexpected = new ArrayList<>();
    try (HttpClient eve = server.user("eve");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> floods = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String path = i % 2 == 0 ? NODES : NODE_PROXY;
        floods.add(
            threads.submit(
                () -> {
                  while (!isOver.get()) {
                    forbidden.addAndGet(Gauges.code(eve, server, path) == 403 ? 1 : 0);
                  }
                }));
      }
      Gauges.await(forbidden::get, done -> done > 100);
      for (int i = 0; i < 20; i++) {
        long code = Gauges.code(mallory, server, CONFIG_MAPS);
        if (code != 200) {
          unexpected.add(code);
        }
      }
      isOver.set(true);
      for (Future<?> flood : floods) {
        flood.get();
      }
    }
    assertThat(unexpected).isEmpty();
    Gauges gauges = new Gauges(server, admin);
    assertThat(gauges.dispatched()).isGreaterThan(forbidden.get());
    Gauges.await(gauges::seats, taken -> taken == 0);
  }
}
