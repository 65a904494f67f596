package dev.berth.sim.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.registry.transport.ContentDigest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A registry on the loopback interface that may want a password, and that may lie.
final class FakeRegistry implements AutoCloseable {
  static final String CREDENTIALS = "ann:secret";

  /// The only layer of all images.
  static final String LAYER = "x".repeat(3000);

  final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();
  private volatile boolean wantsPassword;

  FakeRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void wantPassword() {
    wantsPassword = true;
  }

  /// Answers its digest.
  String put(String path, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String digest = ContentDigest.of(bytes);
    documents.put("/v2/" + path.replace("DIGEST", digest), bytes);
    return digest;
  }

  void remove(String path) {
    documents.remove("/v2/" + path);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      requests.add(path + " " + header(exchange).orElse("-").split(" ", 2)[0]);
      if (wantsPassword && !header(exchange).equals(Optional.of(basic()))) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"fake\"");
        answer(exchange, 401, new byte[0]);
      } else {
        byte[] body = documents.get(path);
        answer(exchange, body == null ? 404 : 200, body == null ? new byte[0] : body);
      }
    }
  }

  private static String basic() {
    return "Basic "
        + Base64.getEncoder().encodeToString(CREDENTIALS.getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<String> header(HttpExchange exchange) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /// An image for several platforms, such as `windows/amd64 10.0.17763.805`; answers the digest of
  /// its index.
  String putImage(String repository, String tag, String... platforms) {
    List<String> entries = new ArrayList<>();
    for (String platform : platforms) {
      String[] parts = platform.split("[/ ]", -1);
      String version = parts.length > 2 ? ",\"os.version\":\"" + parts[2] + "\"" : "";
      String json =
          "\"os\":\"%s\",\"architecture\":\"%s\"%s".formatted(parts[0], parts[1], version);
      String config =
          put(
              repository + "/blobs/DIGEST",
              "{%s,\"config\":{\"User\":\"1000:1000\",\"Entrypoint\":[\"sh\",\"-c\"],\"Cmd\":[\"sleep 60\"]}}"
                  .formatted(json));
      String manifest =
          put(
              repository + "/manifests/DIGEST",
              "{\"schemaVersion\":2,\"config\":{\"digest\":\"%s\"},\"layers\":[{\"mediaType\":\"tar\",\"digest\":\"%s\",\"size\":3000}]}"
                  .formatted(config, put(repository + "/blobs/DIGEST", LAYER)));
      entries.add("{\"digest\":\"%s\",\"platform\":{%s}}".formatted(manifest, json));
    }
    String index = "{\"schemaVersion\":2,\"manifests\":[%s]}".formatted(String.join(",", entries));
    put(repository + "/manifests/" + tag, index);
    return put(repository + "/manifests/DIGEST", index);
  }
}
