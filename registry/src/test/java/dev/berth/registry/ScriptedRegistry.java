package dev.berth.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.RegistryEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A registry on the loopback interface that serves what it is given, wants passwords or tokens,
/// and misbehaves on demand.
final class ScriptedRegistry implements AutoCloseable {
  /// How it wants to be asked.
  enum AccessMode {
    ANYBODY,
    PASSWORD,
    TOKEN
  }

  /// Answers a request in place of the registry.
  interface Misbehavior {
    void answer(HttpExchange exchange) throws IOException;
  }

  static final String BASIC = "Basic YW5uOnNlY3JldA==";

  /// Path and kind of authorization of each request.
  final List<String> requests = new CopyOnWriteArrayList<>();

  /// The query of each request that has one.
  final List<String> queries = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();
  private final Map<String, Misbehavior> misbehaviors = new ConcurrentHashMap<>();
  private final Map<String, ConcurrentLinkedQueue<Integer>> statuses = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  volatile AccessMode access = AccessMode.ANYBODY;
  volatile String realm;

  ScriptedRegistry() throws IOException {
    this(HttpServer.create(address(), 0));
  }

  /// @param server which may be one for TLS
  ScriptedRegistry(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
    realm = "http://" + host() + "/token";
  }

  static InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// As references name it.
  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  RegistryEndpoint endpoint() {
    return RegistryEndpoint.usual(host());
  }

  /// Answers its digest; `DIGEST` in the path stands for it.
  String put(String path, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String digest = ContentDigest.of(bytes);
    documents.put("/v2/" + path.replace("DIGEST", digest), bytes);
    return digest;
  }

  /// Serves what is at a path of the API at another path of the server, too.
  void copy(String path, String other) {
    documents.put(other, documents.get("/v2/" + path));
  }

  void remove(String path) {
    documents.remove("/v2/" + path);
  }

  void misbehave(String path, Misbehavior misbehavior) {
    misbehaviors.put("/v2/" + path, misbehavior);
  }

  /// The next answers, before the document itself.
  void failWith(String path, Integer... codes) {
    statuses.put("/v2/" + path, new ConcurrentLinkedQueue<>(List.of(codes)));
  }

  void redirect(String path, String target) {
    misbehave(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Location", target);
          exchange.sendResponseHeaders(307, -1);
        });
  }

  /// Sends this, and then nothing more until the test ends.
  void stall(String path, String beginning) {
    misbehave(
        path,
        exchange -> {
          if (!beginning.isEmpty()) {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(beginning.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
          }
          try {
            closed.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /// An image for several platforms, such as `windows/amd64 10.0.17763.805`; `-` does not say its
  /// own. Answers the digest of its index.
  String putImage(String repository, String tag, String... platforms) {
    List<String> entries = new ArrayList<>();
    for (String platform : platforms) {
      boolean silent = platform.startsWith("-");
      String[] parts = platform.replace("-", "").split("[/ ]", -1);
      String version = parts.length > 2 ? ",\"os.version\":\"" + parts[2] + "\"" : "";
      String json =
          "\"os\":\"%s\",\"architecture\":\"%s\"%s".formatted(parts[0], parts[1], version);
      String manifest = putManifest(repository, "DIGEST", json);
      entries.add(
          "{\"digest\":\"%s\"%s}"
              .formatted(manifest, silent ? "" : ",\"platform\":{%s}".formatted(json)));
    }
    String index = "{\"schemaVersion\":2,\"manifests\":[%s]}".formatted(String.join(",", entries));
    put(repository + "/manifests/" + tag, index);
    return put(repository + "/manifests/DIGEST", index);
  }

  /// @param platform the beginning of its configuration
  String putManifest(String repository, String tag, String platform) {
    String config =
        put(repository + "/blobs/DIGEST", "{%s,\"config\":{\"Cmd\":[\"sh\"]}}".formatted(platform));
    String layer = put(repository + "/blobs/DIGEST", "x".repeat(3000));
    String manifest =
        "{\"schemaVersion\":2,\"config\":{\"digest\":\"%s\",\"size\":1},\"layers\":[{\"digest\":\"%s\",\"size\":3000}]}"
            .formatted(config, layer);
    put(repository + "/manifests/DIGEST", manifest);
    return put(repository + "/manifests/" + tag, manifest);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Optional<String> header =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
      Optional.ofNullable(exchange.getRequestURI().getQuery()).ifPresent(queries::add);
      requests.add(path + " " + header.orElse("-").split(" ", 2)[0]);
      Integer failure = statuses.getOrDefault(path, new ConcurrentLinkedQueue<>()).poll();
      if (failure != null) {
        exchange.getResponseHeaders().set("Retry-After", failure == 429 ? "1" : "x");
        answer(exchange, failure, new byte[0]);
      } else if (path.equals("/token")) {
        boolean known = header.equals(Optional.of(BASIC)) || isRefresh(exchange);
        answer(
            exchange,
            known ? 200 : 401,
            "{\"token\":\"t0\",\"expires_in\":300}".getBytes(StandardCharsets.UTF_8));
      } else if (!header.equals(needed())) {
        exchange.getResponseHeaders().set("WWW-Authenticate", challenge());
        answer(exchange, 401, new byte[0]);
      } else if (misbehaviors.containsKey(path)) {
        misbehaviors.get(path).answer(exchange);
      } else {
        byte[] body = documents.get(path);
        answer(exchange, body == null ? 404 : 200, body == null ? new byte[0] : body);
      }
    }
  }

  private static boolean isRefresh(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return form.contains("grant_type=refresh_token") && form.contains("refresh_token=identity");
  }

  private Optional<String> needed() {
    return switch (access) {
      case ANYBODY -> Optional.empty();
      case PASSWORD -> Optional.of(BASIC);
      case TOKEN -> Optional.of("Bearer t0");
    };
  }

  private String challenge() {
    // The order that one of the libraries cannot read.
    return access == AccessMode.TOKEN
        ? "Bearer service=\"scripted\",scope=\"repository:web:pull,push\",realm=\"%s\""
            .formatted(realm)
        : "Basic realm=\"scripted\"";
  }

  static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  URI uri(String path) {
    return URI.create("http://" + host() + path);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
