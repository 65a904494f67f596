package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.server.protobuf.ProtobufCodec;
import dev.berth.server.protobuf.ProtobufEnvelope;
import dev.berth.server.schema.ObjectSchema;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Sends requests in the form of an upstream kubelet: protobuf for objects, JSON for patches.
final class KubeletClient implements AutoCloseable {
  private static final String ACCEPT = ProtobufCodec.MEDIA_TYPE + ",application/json";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final ProtobufCodec CODEC = new ProtobufCodec(SCHEMA);

  private final HttpClient http;
  private final URI server;

  /// Empty without a token, because the certificate says who the client is.
  private final String token;

  private KubeletClient(HttpClient http, URI server, String token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  static KubeletClient ofToken(URI server, String authority, String token) throws Exception {
    return new KubeletClient(http(authority, new KeyManager[0]), server, token);
  }

  static KubeletClient ofCertificate(URI server, String authority, String certificate, KeyPair keys)
      throws Exception {
    char[] password = {};
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "node",
        keys.getPrivate(),
        password,
        new Certificate[] {KeyMaterial.certificate(certificate)});
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, password);
    return new KubeletClient(http(authority, managers.getKeyManagers()), server, "");
  }

  private static HttpClient http(String authority, KeyManager[] keys) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", KeyMaterial.certificate(authority));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  /// What the server answered.
  ///
  /// @param object the object or, of a refusal, the Status
  public record Answer(int status, JsonNode object) {
    JsonNode require(int expected) {
      assertThat(status).as("%s", object).isEqualTo(expected);
      return object;
    }
  }

  Answer get(String path) throws Exception {
    return send(request(path).GET());
  }

  /// Reads an object that the authorizer allows as soon as it has seen why.
  void awaitReadable(String path) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Answer answer = get(path);
    while (answer.status() == 403 && System.nanoTime() < end) {
      answer = get(path);
    }
    answer.require(200);
  }

  Answer create(String path, String json) throws Exception {
    return write("POST", path, json);
  }

  /// Sends an object in protobuf.
  Answer write(String method, String path, String json) throws Exception {
    ObjectNode object = (ObjectNode) JSON.readTree(json);
    String version = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    byte[] body = CODEC.encode(SCHEMA.type(typeName(version, kind)), object, version, kind);
    return send(
        request(path)
            .header("Content-Type", ProtobufCodec.MEDIA_TYPE)
            .method(method, BodyPublishers.ofByteArray(body)));
  }

  Answer patch(String path, String json) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/strategic-merge-patch+json")
            .method("PATCH", BodyPublishers.ofString(json)));
  }

  /// Lists and then watches from there, as kubelets before 1.35 do, and returns the list.
  JsonNode listAndWatch(String path, String selector) throws Exception {
    String query = selector.isEmpty() ? "" : "fieldSelector=" + selector + "&";
    JsonNode list = get(path + "?" + query + "limit=500&resourceVersion=0").require(200);
    String from = list.at("/metadata/resourceVersion").asText();
    String rest = "allowWatchBookmarks=true&timeoutSeconds=1&watch=true&resourceVersion=" + from;
    HttpResponse<InputStream> watch = open(path + "?" + query + rest);
    try (InputStream in = watch.body()) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).doesNotContain("ERROR");
    }
    return list;
  }

  /// Watches with the initial events, as kubelets of 1.35 do, until the bookmark that ends them.
  void watchList(String path, String selector) throws Exception {
    String query = selector.isEmpty() ? "" : "fieldSelector=" + selector + "&";
    String rest =
        "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true"
            + "&timeoutSeconds=60&watch=true";
    HttpResponse<InputStream> watch = open(path + "?" + query + rest);
    try (DataInputStream in = new DataInputStream(watch.body())) {
      String event;
      do {
        event = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        assertThat(event).doesNotContain("ERROR");
      } while (!event.contains("k8s.io/initial-events-end"));
    }
  }

  private HttpResponse<InputStream> open(String path) throws Exception {
    HttpResponse<InputStream> answer =
        http.send(request(path).GET().build(), BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains(ProtobufCodec.WATCH_MEDIA_TYPE);
    return answer;
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Accept", ACCEPT)
            .header("User-Agent", "kubelet/v1.35.0 (linux/amd64) kubernetes/0000000");
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
    assertThat(answer.headers().firstValue("Content-Type")).contains(ProtobufCodec.MEDIA_TYPE);
    ProtobufEnvelope envelope = CODEC.decode(answer.body());
    String type = typeName(envelope.apiVersion(), envelope.kind());
    return new Answer(answer.statusCode(), CODEC.decodeObject(SCHEMA.type(type), envelope));
  }

  /// The schema's name, such as `storage.v1.CSINode`.
  private static String typeName(String apiVersion, String kind) {
    if (kind.equals("Status")) {
      return "meta.v1.Status";
    }
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? "core." + apiVersion + "." + kind
        : apiVersion.substring(0, slash).replaceFirst("\\..*", "")
            + "."
            + apiVersion.substring(slash + 1)
            + "."
            + kind;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
