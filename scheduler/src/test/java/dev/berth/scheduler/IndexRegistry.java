package dev.berth.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A registry of this process. The name of an image says what its index has:
/// `linux-amd64_windows-amd64-10.0.17763.1`.
final class IndexRegistry implements AutoCloseable {
  private static final String INDEX = "application/vnd.oci.image.index.v1+json";
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  IndexRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v2/", IndexRegistry::answer);
    server.start();
  }

  /// @param platforms such as `windows/amd64 10.0.17763.1`
  String image(Collection<String> platforms) {
    List<String> words = new ArrayList<>();
    platforms.forEach(platform -> words.add(platform.replace('/', '-').replace(' ', '-')));
    return "127.0.0.1:%d/%s:1".formatted(server.getAddress().getPort(), String.join("_", words));
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    try (exchange) {
      if (!path.contains("/manifests/")) {
        exchange.sendResponseHeaders(path.equals("/v2/") ? 200 : 404, -1);
        return;
      }
      byte[] body = index(path.substring("/v2/".length(), path.indexOf("/manifests/")));
      exchange.getResponseHeaders().set("Content-Type", INDEX);
      exchange.getResponseHeaders().set("Docker-Content-Digest", digest(body));
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, isHead ? -1 : body.length);
      if (!isHead) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static byte[] index(String name) {
    ObjectNode index = JsonNodeFactory.instance.objectNode();
    index.put("schemaVersion", 2).put("mediaType", INDEX);
    for (String platform : name.split("_", -1)) {
      String[] words = platform.split("-", 3);
      ObjectNode entry = index.withArray("manifests").addObject();
      entry
          .put("mediaType", MANIFEST)
          .put("digest", digest(platform.getBytes(StandardCharsets.UTF_8)))
          .put("size", 2);
      ObjectNode parts =
          entry.putObject("platform").put("os", words[0]).put("architecture", words[1]);
      if (words.length == 3) {
        parts.put("os.version", words[2]);
      }
    }
    return index.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String digest(byte[] bytes) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
