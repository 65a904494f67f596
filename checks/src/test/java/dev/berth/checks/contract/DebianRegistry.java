package dev.berth.checks.contract;

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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Debian's docker-registry on the loopback interface, which wants a password.
public final class DebianRegistry implements AutoCloseable {
  public static final String CREDENTIALS = "ann:secret";

  private static final Pattern LISTENS = Pattern.compile("listening on (127\\.0\\.0\\.1:[0-9]+)");

  /// Of the password, with few rounds.
  private static final String HASH = "$2y$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a";

  private final Process process;
  private final URI endpoint;
  private final Path directory;
  private final HttpClient http;

  private DebianRegistry(Process process, URI endpoint, Path directory, HttpClient http) {
    this.process = process;
    this.endpoint = endpoint;
    this.directory = directory;
    this.http = http;
  }

  public static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/bin/docker-registry"));
  }

  public static DebianRegistry start(Path directory) throws IOException {
    return start(directory, HttpClient.newHttpClient(), "");
  }

  /// One with TLS, by a certificate that nobody knows.
  public static DebianRegistry start(Path directory, TestCertificate certificate)
      throws IOException {
    return start(
        directory,
        HttpClient.newBuilder().sslContext(certificate.trusted()).build(),
        ", tls: {certificate: \"%s\", key: \"%s\"}"
            .formatted(certificate.file(), certificate.keyFile()));
  }

  private static DebianRegistry start(Path directory, HttpClient http, String tls)
      throws IOException {
    Files.writeString(directory.resolve("users"), "ann:" + HASH + "\n");
    Path config =
        Files.writeString(
            directory.resolve("config.yml"),
            """
            version: 0.1
            storage: {filesystem: {rootdirectory: "%1$s/data"}}
            http: {addr: "127.0.0.1:0"%2$s}
            auth: {htpasswd: {realm: test, path: "%1$s/users"}}
            """
                .formatted(directory, tls));
    Process process =
        new ProcessBuilder("docker-registry", "serve", config.toString())
            .redirectErrorStream(true)
            .start();
    var lines = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = LISTENS.matcher(line);
      if (matcher.find()) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
        String scheme = tls.isEmpty() ? "http://" : "https://";
        return new DebianRegistry(process, URI.create(scheme + matcher.group(1)), directory, http);
      }
      said.append(line).append('\n');
    }
    throw new IOException("docker-registry did not start: " + said);
  }

  /// As image references name it.
  public String host() {
    return endpoint.getAuthority();
  }

  /// Answers its digest.
  public String putBlob(String repository, byte[] content) throws Exception {
    String digest = digest(content);
    HttpResponse<String> upload =
        send(request("/v2/" + repository + "/blobs/uploads/").POST(BodyPublishers.noBody()), 202);
    String location = upload.headers().firstValue("Location").orElseThrow();
    String separator = location.contains("?") ? "&" : "?";
    send(
        request(location + separator + "digest=" + digest)
            .header("Content-Type", "application/octet-stream")
            .PUT(BodyPublishers.ofByteArray(content)),
        201);
    return digest;
  }

  /// As a registry whose disk was damaged.
  void lose(String digest) throws IOException {
    String hash = digest.replaceFirst("sha256:", "");
    Files.delete(
        directory.resolve(
            "data/docker/registry/v2/blobs/sha256/%s/%s/data"
                .formatted(hash.substring(0, 2), hash)));
  }

  /// Answers its digest.
  public String putManifest(String repository, String reference, String type, String json)
      throws Exception {
    String digest = digest(json.getBytes(StandardCharsets.UTF_8));
    String name = reference.isEmpty() ? digest : reference;
    send(
        request("/v2/" + repository + "/manifests/" + name)
            .header("Content-Type", type)
            .PUT(BodyPublishers.ofString(json)),
        201);
    return digest;
  }

  private HttpRequest.Builder request(String location) {
    String basic = Base64.getEncoder().encodeToString(CREDENTIALS.getBytes(StandardCharsets.UTF_8));
    return HttpRequest.newBuilder(endpoint.resolve(location))
        .header("Authorization", "Basic " + basic);
  }

  private HttpResponse<String> send(HttpRequest.Builder request, int expected) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() != expected) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return response;
  }

  public static String digest(byte[] content) throws NoSuchAlgorithmException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
    return "sha256:" + HexFormat.of().formatHex(hash);
  }

  @Override
  public void close() {
    http.shutdownNow();
    process.destroyForcibly();
  }
}
