package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.relay.AnyCertificate;
import dev.berth.relay.BackendAnswer;
import dev.berth.relay.BackendCall;
import dev.berth.relay.RelayBackend;
import dev.berth.relay.RequestBody;
import dev.berth.server.TestServer;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that were given users, authorities, keys and certificates in files.
class GivenIdentityIT {
  private static final String SELF = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  @TempDir Path directory;

  private PkiConfig pki(
      @Nullable Path clients, @Nullable Path signing, PkiConfig.@Nullable Serving s) {
    Path own = directory.resolve("pki");
    return new PkiConfig(own, own, List.of("127.0.0.1"), clients, List.of(), signing, s);
  }

  private static HttpResponse<String> self(TestServer server, HttpClient client, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + SELF)).POST(BodyPublishers.ofString("{}"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void usersAreKnownByTheTokensInAFile() throws Exception {
    Path tokens = Files.writeString(directory.resolve("t.csv"), "s3cret,ann,u1,\"dev,ops\"\n");
    try (TestServer server =
            TestServer.start(
                directory, config -> config.with(HttpConfig.STANDARD.withTokenFile(tokens)));
        HttpClient client = server.anonymous()) {
      assertThat(self(server, client, "s3cret").body())
          .contains("\"username\":\"ann\",\"uid\":\"u1\",\"groups\":[\"dev\",\"ops\",");
      assertThat(self(server, client, "guess").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void clientsOfAGivenAuthorityAreLetIn() throws Exception {
    ClusterPki other = ClusterPki.open(directory.resolve("other"), Clock.systemUTC(), List.of());
    Path authority = directory.resolve("other/ca.crt");
    KeyAndCertificate ann = other.client(new ClientIdentity("ann", "ann", List.of("dev")));
    try (TestServer server =
            TestServer.start(directory, config -> config.with(pki(authority, null, null)));
        HttpClient client = server.client(ann);
        HttpClient admin = server.admin()) {
      assertThat(self(server, client, "").body()).contains("\"username\":\"ann\"", "\"dev\"");
      assertThat(self(server, admin, "").body()).contains("\"username\":\"kubernetes-admin\"");
    }
    try (TestServer server = TestServer.start(directory);
        HttpClient client = server.client(ann)) {
      assertThat(self(server, client, "").statusCode()).isEqualTo(401);
    }
  }

  /// Most clients offer a certificate only if its authority is among those that the server names.
  @Test
  void aFileOfClientAuthoritiesIsReadAgainWithoutARestart() throws Exception {
    X509Signer signer = new X509Signer(Clock.systemUTC(), new java.security.SecureRandom());
    KeyAndCertificate first = signer.authority("first-ca");
    KeyAndCertificate second = signer.authority("second-ca");
    KeyAndCertificate ann = signer.client(first, new ClientIdentity("ann", "ann", List.of()));
    KeyAndCertificate bob = signer.client(second, new ClientIdentity("bob", "bob", List.of()));
    Path file = Files.writeString(directory.resolve("clients.crt"), first.certificatePem());
    try (TestServer server =
        TestServer.start(directory, config -> config.with(pki(file, null, null)))) {
      assertThat(selfOnce(server, ann)).contains("\"username\":\"ann\"");
      assertThat(selfOnce(server, bob)).contains("system:anonymous");

      Files.writeString(file, "somebody is still writing");
      server.renewCertificates();
      assertThat(selfOnce(server, ann)).contains("\"username\":\"ann\"");

      Files.writeString(file, second.certificatePem());
      server.renewCertificates();
      assertThat(selfOnce(server, bob)).contains("\"username\":\"bob\"");
      assertThat(selfOnce(server, ann)).contains("system:anonymous");
    }
  }

  /// By a connection of its own.
  private static String selfOnce(TestServer server, KeyAndCertificate credential)
      throws IOException, InterruptedException {
    try (HttpClient client = server.client(credential)) {
      return self(server, client, "").body();
    }
  }

  @Test
  void tokensAreSignedWithAGivenKey() throws Exception {
    Path key = Path.of(Objects.requireNonNull(getClass().getResource("rsa-pkcs1.pem")).toURI());
    try (TestServer server =
            TestServer.start(directory, config -> config.with(pki(null, key, null)));
        HttpClient admin = server.admin();
        HttpClient client = server.anonymous()) {
      String accounts = server.url() + "/api/v1/namespaces/default/serviceaccounts";
      post(admin, accounts, "{\"metadata\":{\"name\":\"robot\"}}");
      String answer = post(admin, accounts + "/robot/token", "{}");
      String token =
          JsonTrees.parseTrusted(answer.getBytes(StandardCharsets.UTF_8))
              .at("/status/token")
              .asText();
      assertThat(
              new String(
                  Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.'))),
                  StandardCharsets.UTF_8))
          .startsWith("{\"alg\":\"RS256\",\"kid\":");
      assertThat(self(server, client, token).body())
          .contains("\"username\":\"system:serviceaccount:default:robot\"");
      assertThat(
              admin
                  .send(
                      HttpRequest.newBuilder(URI.create(server.url() + "/openid/v1/jwks")).build(),
                      BodyHandlers.ofString())
                  .body())
          .startsWith("{\"keys\":[{\"use\":\"sig\",\"kty\":\"RSA\",\"kid\":");
    }
  }

  private static String post(HttpClient client, String url, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(201);
    return answer.body();
  }

  @Test
  void aGivenCertificateIsServedToThoseWhoAskForItsName() throws Exception {
    // Its serving certificate is one that "somebody else" made.
    ClusterPki other =
        ClusterPki.open(directory.resolve("other"), Clock.systemUTC(), List.of("api.example.com"));
    Path file = directory.resolve("other/server.pem");
    try (TestServer server =
        TestServer.start(
            directory, config -> config.with(pki(null, null, new PkiConfig.Serving(file, file))))) {
      X509Certificate given = other.servingCertificate();
      assertThat(served(server, "api.example.com")).isEqualTo(given);
      assertThat(served(server, "elsewhere.example.com")).isEqualTo(given);
      // It is good for 127.0.0.1 as well.
      assertThat(served(server, null)).isEqualTo(given);
      assertThat(Files.readString(server.kubeconfig())).contains(trusted(given));

      // The somebody else replaces it in place.
      ClusterPki next =
          ClusterPki.open(directory.resolve("next"), Clock.systemUTC(), List.of("api.example.com"));
      Files.copy(directory.resolve("next/server.pem"), file, StandardCopyOption.REPLACE_EXISTING);
      server.renewCertificates();
      assertThat(served(server, "api.example.com")).isEqualTo(next.servingCertificate());
      assertThat(Files.readString(server.kubeconfig()))
          .contains(trusted(next.servingCertificate()));
    }
  }

  @Test
  void aCertificateAndItsKeyInFilesOfTheirOwnAreReadAgainTogether() throws Exception {
    X509Signer signer = new X509Signer(Clock.systemUTC(), new java.security.SecureRandom());
    KeyAndCertificate authority = signer.authority("berth-ca");
    SubjectNames names = new SubjectNames(java.util.Set.of("api.example.com"), java.util.Set.of());
    KeyAndCertificate first = signer.server(authority, names);
    KeyAndCertificate second = signer.server(authority, names);
    Path certificate = Files.writeString(directory.resolve("tls.crt"), first.certificatePem());
    Path key = Files.writeString(directory.resolve("tls.key"), first.keyPem());
    PkiConfig.Serving files = new PkiConfig.Serving(certificate, key);
    try (TestServer server =
        TestServer.start(directory, config -> config.with(pki(null, null, files)))) {
      assertThat(served(server, "api.example.com")).isEqualTo(first.certificate());

      // The key is not there yet: a handshake with the new certificate would fail.
      Files.writeString(certificate, second.certificatePem());
      server.renewCertificates();
      assertThat(served(server, "api.example.com")).isEqualTo(first.certificate());

      Files.writeString(key, second.keyPem());
      server.renewCertificates();
      assertThat(served(server, "api.example.com")).isEqualTo(second.certificate());
    }
  }

  private String trusted(X509Certificate given) throws IOException {
    return Base64.getEncoder()
        .encodeToString(
            (Files.readString(directory.resolve("pki/ca.crt")) + KeyAndCertificate.pem(given))
                .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aGivenCertificateThatIsNotGoodForOurAddressIsForNamesOnly() throws Exception {
    X509Signer signer = new X509Signer(Clock.systemUTC(), new java.security.SecureRandom());
    SubjectNames names = new SubjectNames(java.util.Set.of("api.example.com"), java.util.Set.of());
    KeyAndCertificate given = signer.server(signer.authority("berth-ca"), names);
    Path file =
        Files.writeString(directory.resolve("given.pem"), given.certificatePem() + given.keyPem());
    try (TestServer server =
            TestServer.start(
                directory,
                config -> config.with(pki(null, null, new PkiConfig.Serving(file, file))));
        HttpClient admin = server.admin()) {
      assertThat(served(server, "api.example.com")).isEqualTo(given.certificate());
      assertThat(served(server, null)).isNotEqualTo(given.certificate());
      assertThat(served(server, "kubernetes.default.svc")).isNotEqualTo(given.certificate());
      assertThat(self(server, admin, "").statusCode()).isEqualTo(201);
      // Who proxies to pods does not ask who signed their certificates.
      RelayBackend pod = new RelayBackend("localhost", server.port(), AnyCertificate.context());
      BackendCall call =
          new BackendCall("GET", "/version", HttpFields.EMPTY, RequestBody.NONE, false);
      try (BackendAnswer answer = call.send(pod)) {
        assertThat(answer.status()).isEqualTo(200);
      }
    }
  }

  private static X509Certificate served(TestServer server, @Nullable String name)
      throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            server
                .trustingTls()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      if (name != null) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
      }
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }
}
