package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One user asks for everything on many connections; others must hardly notice.
class GreedyUserIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int OBJECTS = 1_000;
  private static final int CONNECTIONS = 200;

  /// Without contention a request takes a few milliseconds; the machine may be busy.
  private static final Duration BOUND = Duration.ofSeconds(5);

  @TempDir Path directory;

  @Test
  void expensiveListsOfOneUserDoNotHoldUpAnother() throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient admin = server.admin();
        HttpClient bob = server.user("bob");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      prepare(server, admin);
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicInteger lists = new AtomicInteger();
      List<HttpClient> greedy = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        HttpClient mallory = i < 8 ? server.user("mallory") : greedy.get(i % 8);
        greedy.add(mallory);
        threads.execute(
            () -> {
              while (!isOver.get()) {
                if (status(mallory, server, CONFIG_MAPS) == 200) {
                  lists.incrementAndGet();
                }
              }
            });
      }
      Gauges.await(lists::get, done -> done > 50);

      List<Duration> times = new ArrayList<>();
      List<Integer> codes = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String path =
            i % 3 == 0 ? CONFIG_MAPS : i % 3 == 1 ? CONFIG_MAPS + "/map-1" : "/api/v1/namespaces";
        long start = System.nanoTime();
        codes.add(status(bob, server, path));
        times.add(Duration.ofNanos(System.nanoTime() - start));
      }
      String metrics = Requests.get(admin, server, "/metrics").body();
      isOver.set(true);

      Collections.sort(times);
      assertThat(codes).containsOnly(200);
      assertThat(times.getLast()).isLessThan(BOUND);
      assertThat(metrics).contains("apiserver_flowcontrol_current_inqueue_requests{");
    }
  }

  private static void prepare(TestServer server, HttpClient admin) throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      String body =
          "{\"metadata\":{\"name\":\"map-%d\"},\"data\":{\"a\":\"%s\"}}"
              .formatted(i, "x".repeat(2_000));
      assertThat(Requests.post(admin, server, CONFIG_MAPS, "application/json", body).statusCode())
          .isEqualTo(201);
    }
    for (String user : List.of("mallory", "bob")) {
      String binding =
          """
          {"metadata":{"name":"%s"},
           "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},
           "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%s"}]}
          """
              .formatted(user, user);
      String path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
      HttpResponse<String> answer = Requests.post(admin, server, path, "application/json", binding);
      assertThat(answer.statusCode()).isEqualTo(201);
    }
    try (HttpClient bob = server.user("bob")) {
      Gauges.await(() -> status(bob, server, CONFIG_MAPS + "/map-1"), code -> code == 200);
    }
  }

  private static int status(HttpClient client, TestServer server, String path) {
    try {
      return Requests.get(client, server, path).statusCode();
    } catch (Exception e) {
      return 0;
    }
  }
}
