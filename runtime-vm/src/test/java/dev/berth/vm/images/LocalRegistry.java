package dev.berth.vm.images;

import dev.berth.registry.transport.ContentDigest;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Debian's docker-registry on the loopback interface.
final class LocalRegistry implements AutoCloseable {
  private static final Pattern LISTENS = Pattern.compile("listening on (127\\.0\\.0\\.1:[0-9]+)");

  /// Of the access log.
  private static final Pattern REQUEST = Pattern.compile("\"((?:GET|HEAD) /v2/[^ ]*) HTTP");

  private final Process process;
  private final URI endpoint;
  private final Path directory;
  private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();

  private LocalRegistry(Process process, URI endpoint, Path directory) {
    this.process = process;
    this.endpoint = endpoint;
    this.directory = directory;
  }

  static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/bin/docker-registry"));
  }

  static LocalRegistry start(Path directory) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("config.yml"),
            """
            version: 0.1
            log: {level: info}
            storage: {filesystem: {rootdirectory: "%s/data"}}
            http: {addr: "127.0.0.1:0"}
            """
                .formatted(directory));
    Process process =
        new ProcessBuilder("docker-registry", "serve", config.toString())
            .redirectErrorStream(true)
            .start();
    var lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = LISTENS.matcher(line);
      if (matcher.find()) {
        URI endpoint = URI.create("http://" + matcher.group(1));
        LocalRegistry registry = new LocalRegistry(process, endpoint, directory);
        Thread.ofVirtual().start(() -> registry.follow(lines));
        return registry;
      }
    }
    throw new IOException("docker-registry did not start");
  }

  private void follow(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = REQUEST.matcher(line);
        if (matcher.find()) {
          answered.add(matcher.group(1));
        }
      }
    } catch (IOException _) {
      // The registry ended.
    }
  }

  /// What was asked for since the last call, such as `GET /v2/web/manifests/1`.
  List<String> requests() throws Exception {
    String marker = "/v2/marker" + System.nanoTime() + "/manifests/1";
    send(request(marker), 404);
    List<String> before = new ArrayList<>();
    while (true) {
      String next = answered.poll(1, TimeUnit.MINUTES);
      if (next == null) {
        throw new IOException("the log of the registry lacks " + marker);
      }
      if (next.endsWith(marker)) {
        return before;
      }
      before.add(next);
    }
  }

  /// As image references name it.
  String host() {
    return endpoint.getAuthority();
  }

  /// Pushes an image under a tag and answers the digest of its manifest.
  String push(String repository, String tag, TestImage image) throws Exception {
    for (byte[] blob : image.blobs()) {
      putBlob(repository, blob);
    }
    return putManifest(repository, tag, TestImage.MANIFEST, image.manifest());
  }

  private void putBlob(String repository, byte[] content) throws Exception {
    HttpResponse<String> upload =
        send(request("/v2/" + repository + "/blobs/uploads/").POST(BodyPublishers.noBody()), 202);
    String location = upload.headers().firstValue("Location").orElseThrow();
    String digest = "digest=" + ContentDigest.of(content);
    send(
        request(location + (location.contains("?") ? "&" : "?") + digest)
            .header("Content-Type", "application/octet-stream")
            .PUT(BodyPublishers.ofByteArray(content)),
        201);
  }

  String putManifest(String repository, String tag, String type, String json) throws Exception {
    send(
        request("/v2/" + repository + "/manifests/" + tag)
            .header("Content-Type", type)
            .PUT(BodyPublishers.ofString(json)),
        201);
    return ContentDigest.of(json.getBytes(StandardCharsets.UTF_8));
  }

  /// Replaces the content of a blob, as a disk does that goes bad.
  void damage(byte[] blob, byte[] other) throws IOException {
    String hash = ContentDigest.of(blob).substring("sha256:".length());
    Files.write(
        directory.resolve(
            "data/docker/registry/v2/blobs/sha256/%s/%s/data"
                .formatted(hash.substring(0, 2), hash)),
        other);
  }

  private HttpRequest.Builder request(String location) {
    return HttpRequest.newBuilder(endpoint.resolve(location));
  }

  private HttpResponse<String> send(HttpRequest.Builder request, int expected) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() != expected) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return response;
  }

  @Override
  public void close() {
    http.shutdownNow();
    process.destroyForcibly();
  }
}
