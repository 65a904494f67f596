package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.http.guard.InflightLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One user asks for lists and does not read them, another one sends bodies that do not end, and a
/// third one is anonymous and never stops asking. While their further requests wait, those of
/// others are served; likewise when the users are many, but all of one namespace or address.
class FairnessIT {
  private static final String JSON = "application/json";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

  /// Enough for a heavy list, and more than the buffers between client and server hold.
  private static final int OBJECTS = 250;

  private static final int VALUE_BYTES = 20_000;

  /// More than there are seats for one user, and less than a queue is long.
  private static final int CONNECTIONS = 30;

  @TempDir Path directory;
  private TestServer server;

  /// What one user asks for.
  private record Ask(HttpClient client, String line, String body) {}

  /// An answer and how long it took.
  private record Timed(HttpResponse<String> answer, Duration time) {}

  @BeforeEach
  void start() throws IOException {
    server =
        TestServer.start(
            directory,
            config -> config.with(HttpConfig.STANDARD.with(new InflightLimits(20, 10, true))));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Timed timed(Ask ask) throws IOException, InterruptedException {
    long start = System.nanoTime();
    String type = ask.line().startsWith("PATCH") ? "application/merge-patch+json" : JSON;
    HttpResponse<String> answer = Requests.with(ask.client(), server, ask.line(), type, ask.body());
    return new Timed(answer, Duration.ofNanos(System.nanoTime() - start));
  }

  @Test
  void whatOneUserTakesIsNotMissingForOthers() throws Exception {
    List<RawConnection> greedy = new ArrayList<>();
    try (HttpClient admin = server.admin();
        HttpClient bob = server.user("bob");
        HttpClient node = server.node("a");
        HttpClient trudy = server.user("trudy")) {
      prepare(server, admin, node);
      for (int i = 0; i < CONNECTIONS; i++) {
        greedy.add(connection("mallory", "GET " + CONFIG_MAPS + " HTTP/1.1\r\n", "\r\n"));
        greedy.add(
            connection(
                "trudy", "POST " + CONFIG_MAPS + " HTTP/1.1\r\n", "Content-Length: 9\r\n\r\n{"));
      }
      Gauges.await(new Gauges(server, admin)::queued, waiting -> waiting >= CONNECTIONS);

      List<Duration> times =
          askWhileWaiting(
              new Ask(trudy, "PUT " + CONFIG_MAPS + "/map-1", map("map-1")),
              List.of(
                  new Ask(bob, "GET " + CONFIG_MAPS, ""),
                  new Ask(bob, "PUT " + CONFIG_MAPS + "/map-2", map("map-2")),
                  new Ask(bob, "GET " + CONFIG_MAPS + "/map-2", ""),
                  new Ask(node, "PATCH " + LEASES + "/a", lease()),
                  new Ask(admin, "GET " + CONFIG_MAPS + "?limit=10", "")));

      times.sort(null);
      assertThat(times.get(times.size() / 2)).isLessThan(Duration.ofSeconds(5));
    } finally {
      for (RawConnection one : greedy) {
        one.close();
      }
    }
  }

  @Test
  void aNamespaceWithManyAccountsDoesNotHoldUpOthers() throws Exception {
    String accounts = "system:serviceaccount:crowd:account-";
    othersAreAnswered(accounts, "system:serviceaccount:web:app", "127.0.0.1");
  }

  @Test
  void anAddressWithManyUsersDoesNotHoldUpOthers() throws Exception {
    othersAreAnswered("user-", "bob", "127.0.0.2");
  }

  /// Each of many users has one request that does not end, which is less than one user may have.
  ///
  /// @param source the address of the other user; the crowd is at 127.0.0.1
  private void othersAreAnswered(String crowd, String other, String source) throws Exception {
    List<RawConnection> slow = new ArrayList<>();
    try (HttpClient admin = server.admin();
        HttpClient elsewhere =
            HttpClient.newBuilder()
                .sslContext(server.adminTls())
                .localAddress(InetAddress.ofLiteral(source))
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
      create(
          admin,
          server,
          BINDINGS,
          """
          {"metadata":{"name":"all"},
           "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"edit"},
           "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group",
                        "name":"system:authenticated"}]}
          """);
      create(admin, server, CONFIG_MAPS, map("map-1"));
      Gauges.await(() -> codeAs(elsewhere, other), code -> code == 200);
      for (int i = 0; i < CONNECTIONS; i++) {
        RawConnection one = RawConnection.tls(server);
        slow.add(one);
        one.send(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nImpersonate-User: %s%d\r\n"
                    .formatted(CONFIG_MAPS, crowd, i)
                + "Content-Length: 9\r\n\r\n{");
      }
      // The seats that the level can use are fewer than the requests of the crowd.
      Gauges.await(new Gauges(server, admin)::queued, waiting -> waiting >= CONNECTIONS / 3);

      for (int i = 0; i < 5; i++) {
        assertThat(codeAs(elsewhere, other)).isEqualTo(200);
      }
    } finally {
      for (RawConnection one : slow) {
        one.close();
      }
    }
  }

  private long codeAs(HttpClient client, String user) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + CONFIG_MAPS + "/map-1"))
            .header("Impersonate-User", user)
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private RawConnection connection(String user, String line, String rest) throws IOException {
    RawConnection made = RawConnection.tls(server, server.userTls(user), "http/1.1");
    made.send(line + "Host: localhost\r\n" + rest);
    return made;
  }

  /// Others are served as long as one more request of the greedy user waits, which is until it is
  /// refused.
  private List<Duration> askWhileWaiting(Ask greedy, List<Ask> others) throws Exception {
    List<Duration> times = new ArrayList<>();
    AtomicBoolean isOver = new AtomicBoolean();
    try (HttpClient nobody = server.anonymous();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        threads.execute(
            () -> {
              while (!isOver.get()) {
                Gauges.code(nobody, server, "/version");
              }
            });
      }
      try {
        Callable<Timed> task = () -> timed(greedy);
        Future<Timed> refused = threads.submit(task);
        while (!refused.isDone()) {
          for (Ask ask : others) {
            Timed one = timed(ask);
            assertThat(one.answer().statusCode()).as(one.answer().body()).isEqualTo(200);
            times.add(one.time());
          }
        }
        assertThat(refused.get().answer().statusCode()).isEqualTo(429);
        assertThat(refused.get().answer().headers().firstValue("Retry-After")).contains("1");
        assertThat(refused.get().answer().body()).contains("time-out: no seat became free in 15 s");
      } finally {
        isOver.set(true);
      }
    }
    return times;
  }

  private static void prepare(TestServer server, HttpClient admin, HttpClient node)
      throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      create(admin, server, CONFIG_MAPS, map("map-" + i));
    }
    for (String user : List.of("mallory", "trudy", "bob")) {
      create(
          admin,
          server,
          BINDINGS,
          """
          {"metadata":{"name":"%s"},
           "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"edit"},
           "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%s"}]}
          """
              .formatted(user, user));
      try (HttpClient client = server.user(user)) {
        Gauges.await(
            () -> Gauges.code(client, server, CONFIG_MAPS + "/map-1"), code -> code == 200);
      }
    }
    create(admin, server, "/api/v1/nodes", "{\"metadata\":{\"name\":\"a\"}}");
    create(node, server, LEASES, lease());
  }

  private static void create(HttpClient client, TestServer server, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = Requests.post(client, server, path, JSON, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private static String map(String name) {
    return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"%s\"}}"
        .formatted(name, "x".repeat(VALUE_BYTES));
  }

  private static String lease() {
    return "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"holderIdentity\":\"a\"}}";
  }
}
