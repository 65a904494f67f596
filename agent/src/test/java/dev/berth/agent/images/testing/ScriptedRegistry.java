package dev.berth.agent.images.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.registry.transport.ContentDigest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A registry on the loopback interface that serves what it is given and misbehaves on demand.
public final class ScriptedRegistry implements AutoCloseable {
  /// Answers a request in place of the registry.
  public interface Misbehavior {
    void answer(HttpExchange exchange) throws IOException;
  }

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();
  private final Map<String, Misbehavior> misbehaviors = new ConcurrentHashMap<>();
  private final Map<String, String> passwords = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  public ScriptedRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /// As references name it.
  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /// The paths behind `/v2/`, in the order of the requests.
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /// Answers its digest; `DIGEST` in the path stands for it.
  public String put(String path, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String digest = ContentDigest.of(bytes);
    documents.put(path.replace("DIGEST", digest), bytes);
    return digest;
  }

  public void misbehave(String path, Misbehavior misbehavior) {
    misbehaviors.put(path, misbehavior);
  }

  /// Sends nothing until the test ends.
  public void stall(String path) {
    misbehave(
        path,
        _ -> {
          try {
            closed.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /// Lets nobody read a repository without a password.
  ///
  /// @param credentials `user:password`
  public void protect(String repository, String credentials) {
    byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
    passwords.put(repository, "Basic " + Base64.getEncoder().encodeToString(bytes));
  }

  /// An image for several platforms, such as `windows/amd64 10.0.17763.805`; answers the digests of
  /// its entries.
  public List<String> putImage(String repository, String tag, String... platforms) {
    List<String> digests = new ArrayList<>();
    List<String> entries = new ArrayList<>();
    for (String platform : platforms) {
      String json = json(platform);
      String digest = putManifest(repository, "DIGEST", platform);
      digests.add(digest);
      entries.add("{\"digest\":\"%s\",\"platform\":{%s}}".formatted(digest, json));
    }
    String index = "{\"schemaVersion\":2,\"manifests\":[%s]}".formatted(String.join(",", entries));
    put(repository + "/manifests/DIGEST", index);
    put(repository + "/manifests/" + tag, index);
    return digests;
  }

  /// An image without an index; answers the digest of its manifest.
  public String putManifest(String repository, String tag, String platform) {
    String config =
        put(
            repository + "/blobs/DIGEST",
            "{%s,\"config\":{\"Cmd\":[\"sh\",\"-c\",\"sleep 3600\"]}}".formatted(json(platform)));
    String layer = put(repository + "/blobs/DIGEST", "x".repeat(300));
    String manifest =
        "{\"schemaVersion\":2,\"config\":{\"digest\":\"%s\",\"size\":1},\"layers\":[{\"digest\":\"%s\",\"size\":300}]}"
            .formatted(config, layer);
    put(repository + "/manifests/DIGEST", manifest);
    return put(repository + "/manifests/" + tag, manifest);
  }

  private static String json(String platform) {
    String[] parts = platform.split("[/ ]", -1);
    String version = parts.length > 2 ? ",\"os.version\":\"%s\"".formatted(parts[2]) : "";
    return "\"os\":\"%s\",\"architecture\":\"%s\"%s".formatted(parts[0], parts[1], version);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().replaceFirst("^/v2/", "");
      requests.add(path);
      String password = passwords.get(path.replaceFirst("/(manifests|blobs)/.*", ""));
      Misbehavior misbehavior = misbehaviors.get(path);
      if (password != null
          && !password.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"scripted\"");
        exchange.sendResponseHeaders(401, -1);
      } else if (misbehavior != null) {
        misbehavior.answer(exchange);
      } else {
        byte[] body = documents.get(path);
        exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
        if (body != null) {
          exchange.getResponseBody().write(body);
        }
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
