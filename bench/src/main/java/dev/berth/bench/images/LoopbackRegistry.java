package dev.berth.bench.images;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.registry.platforms.MediaTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A registry of this process that has one index under every name and counts its requests. Content
/// stays in memory, so that a pull measures the client and the runtime, not a disk.
final class LoopbackRegistry implements AutoCloseable {
  private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
  private static final String LAYER = "application/vnd.oci.image.layer.v1.tar";

  /// Bytes with their media type.
  // Not a record: a record with an array would compare by identity, which its reader would not
  // expect.
  private static final class Content {
    private final String type;
    private final byte[] bytes;

    Content(String type, byte[] bytes) {
      this.type = type;
      this.bytes = bytes;
    }

    String type() {
      return type;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Content> byDigest = new ConcurrentHashMap<>();
  private final Content index;
  // Counted on the threads of the server, read after each operation by the benchmark's.
  private final AtomicInteger requests = new AtomicInteger();

  /// @param architectures the entries of the index, all for Linux
  /// @param layerBytes the size of each entry's only layer
  LoopbackRegistry(List<String> architectures, int layerBytes) throws IOException {
    ObjectNode list = document(MediaTypes.OCI_INDEX);
    ArrayNode manifests = list.putArray("manifests");
    for (String architecture : architectures) {
      ObjectNode entry = manifests.addObject();
      describe(entry, entry(architecture, layerBytes));
      entry.putObject("platform").put("os", "linux").put("architecture", architecture);
    }
    index = stored(MediaTypes.OCI_INDEX, bytes(list));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    // Plain HTTP on loopback: clients treat such a host as insecure by its address, as containerd
    // does.
    server.createContext("/v2/", this::answer);
    server.start();
  }

  private Content entry(String architecture, int layerBytes) {
    byte[] layer = new byte[layerBytes];
    // Random bytes cannot be compressed, and a seed makes the digests the same in every run.
    new Random(architecture.hashCode()).nextBytes(layer);
    Content blob = stored(LAYER, layer);
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    config.put("os", "linux").put("architecture", architecture).putObject("config");
    config.putObject("rootfs").put("type", "layers").putArray("diff_ids").add(digest(blob));
    ObjectNode manifest = document(MediaTypes.OCI_MANIFEST);
    describe(manifest.putObject("config"), stored(CONFIG, bytes(config)));
    describe(manifest.putArray("layers").addObject(), blob);
    return stored(MediaTypes.OCI_MANIFEST, bytes(manifest));
  }

  private static ObjectNode document(String type) {
    return JsonNodeFactory.instance.objectNode().put("schemaVersion", 2).put("mediaType", type);
  }

  private static void describe(ObjectNode descriptor, Content content) {
    descriptor
        .put("mediaType", content.type())
        .put("digest", digest(content))
        .put("size", content.bytes().length);
  }

  private Content stored(String type, byte[] bytes) {
    Content content = new Content(type, bytes);
    byDigest.put(digest(content), content);
    return content;
  }

  private static byte[] bytes(ObjectNode document) {
    return document.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String digest(Content content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.bytes());
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Serves manifests by name and digest, and blobs by digest. There is no authentication: its
  /// round trips would add to the counted requests.
  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String last = path.substring(path.lastIndexOf('/') + 1);
      Content content =
          path.contains("/manifests/") && !last.startsWith("sha256:") ? index : byDigest.get(last);
      if (path.equals("/v2/")) {
        exchange.sendResponseHeaders(200, -1);
      } else if (content == null) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        exchange.getResponseHeaders().set("Content-Type", content.type());
        exchange.getResponseHeaders().set("Docker-Content-Digest", digest(content));
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        // HEAD has no body; -1 is the JDK's word for that, while 0 means chunks.
        exchange.sendResponseHeaders(200, isHead ? -1 : content.bytes().length);
        if (!isHead) {
          exchange.getResponseBody().write(content.bytes());
        }
      }
    }
  }

  /// Host and port, with which names of images begin.
  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
