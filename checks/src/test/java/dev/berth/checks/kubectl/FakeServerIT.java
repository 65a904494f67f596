package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.node.certificates.IssuedCertificate;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.checks.TestCluster;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.launch.join.JoinTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Somebody with a bootstrap token tries to pose as the API server and to get a user's token.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FakeServerIT {
  private static final String SECRET = "the-users-token";

  private Path directory;
  private TestCluster cluster;
  private Path authority;
  private ApiClient joiner;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is not on PATH (Debian: kubernetes-client)");
    directory = temporary;
    cluster = TestCluster.withNode(directory.resolve("data"), List.of());
    JoinTokens.Made made = JoinTokens.create(cluster.kubeconfig(), Duration.ofHours(1));
    String trusted = ClientConfig.fromKubeconfig(cluster.kubeconfig()).authority();
    authority = Files.writeString(directory.resolve("ca.crt"), trusted);
    joiner =
        ApiClient.open(
            ClientConfig.ofToken(
                made.server(), trusted, made.token().id() + "." + made.token().secret()));
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      joiner.close();
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.default.svc",
        "localhost",
        "127.0.0.1",
        "::1",
        "10.1.2.3",
        "node-1",
        "*.example.com",
        "*"
      })
  void aTokenGetsNoCertificateForNamesOfOthers(String name) {
    KeyPair keys = KeyMaterial.newKeys();

    assertThatThrownBy(
            () -> IssuedCertificate.request(joiner, "evil", List.of(name), keys.getPublic()))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("gets no serving certificate for these addresses: \"" + name + "\"");
  }

  @Test
  void aTokenDoesNotTakeTheNameOfANodeThatIsThere() {
    new Kubectl(cluster.kubeconfig(), directory.resolve("cache"))
        .run("wait", "--for=create", "node/node-1", "--timeout=55s");

    assertThatThrownBy(
            () ->
                IssuedCertificate.request(
                    joiner, "node-1", List.of(), KeyMaterial.newKeys().getPublic()))
        .hasMessageContaining("node \"node-1\" is in the cluster already");
  }

  /// What a token does get is not worth anything to a fake server: not under the server's name, and
  /// not under the node's own.
  @ParameterizedTest
  @ValueSource(strings = {"kubernetes.default.svc", "localhost", "evil"})
  void kubectlDoesNotSendAUsersTokenToAFakeServer(String node) throws Exception {
    KeyPair keys = KeyMaterial.newKeys();
    IssuedCertificate issued = IssuedCertificate.request(joiner, node, List.of(), keys.getPublic());
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (SSLServerSocket fake = listen(keys, issued.servingCertificate())) {
      Thread.ofVirtual().start(() -> record(fake, heard));

      Kubectl.Outcome outcome =
          new Kubectl(Path.of("/dev/null"), directory.resolve("cache"))
              .attempt(
                  "",
                  Map.of(),
                  "get",
                  "--raw",
                  "/version",
                  "--server=https://127.0.0.1:" + fake.getLocalPort(),
                  "--tls-server-name=" + node,
                  "--certificate-authority=" + authority,
                  "--token=" + SECRET);

      assertThat(outcome.code()).isNotZero();
      assertThat(outcome.text()).contains("failed to verify certificate");
      assertThat(heard).noneMatch(text -> text.contains(SECRET));
    }
  }

  private static SSLServerSocket listen(KeyPair keys, String certificate)
      throws GeneralSecurityException, IOException {
    char[] password = new char[0];
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "fake",
        keys.getPrivate(),
        password,
        new Certificate[] {KeyMaterial.certificate(certificate)});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return (SSLServerSocket)
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  /// Answers nothing, but keeps what it is sent.
  private static void record(SSLServerSocket fake, List<String> heard) {
    while (!fake.isClosed()) {
      try (SSLSocket client = (SSLSocket) fake.accept()) {
        byte[] bytes = client.getInputStream().readNBytes(1_000);
        heard.add(new String(bytes, StandardCharsets.ISO_8859_1));
      } catch (IOException _) {
        // The client hung up, or the test is over.
      }
    }
  }
}
