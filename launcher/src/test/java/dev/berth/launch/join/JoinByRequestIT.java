package dev.berth.launch.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.reports.CertificateListing;
import dev.berth.launch.reports.KnownCertificate;
import dev.berth.launch.simulation.SimulatedRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A machine joins as a kubelet does: by cluster-info, bootstrap tokens and
/// CertificateSigningRequests, which every API server has.
final class JoinByRequestIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private ControlPlane plane;
  private ApiClient admin;
  private SimulatedRuntime runtime;
  private JoinTokens.Made made;

  @BeforeEach
  void start() {
    plane = ControlPlane.start(LaunchConfig.embedded(directory.resolve("server")));
    admin = ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig()));
    runtime = SimulatedRuntime.start(new LinuxSystem().simulated(), Clock.systemUTC());
    made = JoinTokens.create(plane.kubeconfig(), Duration.ofHours(1));
    awaitSigned();
  }

  @AfterEach
  void stop() {
    runtime.close();
    admin.close();
    plane.close();
  }

  @Test
  void aTokenOfKubeadmsFormWithTheHashOfTheAuthorityJoins() throws Exception {
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token(), true);
    try (StandaloneAgent agent = StandaloneAgent.start(config("n1"), entry)) {
      assertThat(agent.toString()).startsWith("n1 of " + made.server() + " runs with container:");
      awaitReady("n1");
    }
    NodeKubeconfig own = NodeKubeconfig.below(directory.resolve("agent"));
    String before = Files.readString(own.file());
    assertThat(own.renew("n1", Instant.parse("2100-01-01T00:00:00Z"))).isTrue();
    assertThat(Files.readString(own.file())).isNotEqualTo(before);
    // By a request of its own as well, as with an upstream API server.
    own.joinByRequest(ClientConfig.fromKubeconfig(own.file()), "n1", PATIENCE);
    assertThat(user(own.file())).isEqualTo("system:node:n1");
  }

  @Test
  void aWrongHashAndAWrongSecretAreRefused() {
    JoinToken hash = new JoinToken(made.token().id(), made.token().secret(), "0".repeat(64));
    JoinToken secret =
        new JoinToken(made.token().id(), "aaaaaaaaaaaaaaaa", made.token().fingerprint());

    assertThatThrownBy(() -> ClusterDiscovery.fetch(made.server(), hash))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("none of its authorities has the public key hash sha256:000");
    assertThatThrownBy(() -> ClusterDiscovery.fetch(made.server(), secret))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("on kube-public/cluster-info is wrong");
  }

  @Test
  void aBootstrapKubeconfigBecomesTheNodesOwn() throws Exception {
    Path own = directory.resolve("kubelet.conf");
    NodeJoin.Bootstrap entry = new NodeJoin.Bootstrap(bootstrapKubeconfig(), own);
    try (StandaloneAgent _ = StandaloneAgent.start(config("n2"), entry)) {
      awaitReady("n2");
    }
    assertThat(user(own)).isEqualTo("system:node:n2");
  }

  @Test
  void aRequestThatNobodyApprovesSaysSo() throws Exception {
    NodeKubeconfig first = new NodeKubeconfig(directory.resolve("first"));
    ClientConfig credentials = ClientConfig.fromKubeconfig(bootstrapKubeconfig());
    first.joinByRequest(credentials, "n3", PATIENCE);
    try (StandaloneAgent _ =
        StandaloneAgent.start(config("n3"), new NodeJoin.Kubeconfig(first.file()))) {
      awaitReady("n3");
    }
    NodeKubeconfig second = new NodeKubeconfig(directory.resolve("second"));

    assertThatThrownBy(() -> second.joinByRequest(credentials, "n3", Duration.ofSeconds(3)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("waits for approval: `kubectl certificate approve node-csr-");
  }

  @Test
  void aRenewedKubeconfigIsReadAgainWithoutARestart() throws Exception {
    ClientConfig credentials = ClientConfig.fromKubeconfig(bootstrapKubeconfig());
    NodeKubeconfig used = new NodeKubeconfig(directory.resolve("used"));
    NodeKubeconfig other = new NodeKubeconfig(directory.resolve("other"));
    used.joinByRequest(credentials, "n4", PATIENCE);
    other.joinByRequest(credentials, "n5", PATIENCE);

    try (ApiClient client = ApiClient.openReloading(used.file(), "test")) {
      assertThat(user(client)).isEqualTo("system:node:n4");
      Files.writeString(used.file(), "somebody is still writing");
      assertThat(user(client)).isEqualTo("system:node:n4");
      Files.copy(other.file(), used.file(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      await(() -> user(client).equals("system:node:n5"));
    }
  }

  @Test
  void certificatesAreListedWithTheirEnds() throws Exception {
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token(), true);
    try (StandaloneAgent _ = StandaloneAgent.start(config("n6"), entry)) {
      awaitReady("n6");
      await(
          () ->
              listed().stream()
                  .anyMatch(one -> one.place().equals("node/n6") && one.left().equals("364d")));
    }
    Path pki = directory.resolve("server/pki");
    assertThat(listed())
        .extracting(KnownCertificate::place)
        .contains(
            pki.resolve("ca.crt").toString(),
            pki.resolve("node-ca.crt").toString(),
            pki.resolve("server.pem").toString(),
            plane.kubeconfig() + " (client-certificate)");
    assertThat(listed())
        .filteredOn(one -> one.place().endsWith("server.pem"))
        .singleElement()
        .satisfies(one -> assertThat(one.names()).contains("localhost", "127.0.0.1"));
  }

  private List<KnownCertificate> listed() {
    return CertificateListing.of(
        directory.resolve("server"), plane.kubeconfig(), Clock.systemUTC());
  }

  private Path bootstrapKubeconfig() throws IOException {
    String authority = ClientConfig.fromKubeconfig(plane.kubeconfig()).authority();
    return Files.writeString(
        directory.resolve("bootstrap.kubeconfig"),
        """
        ---
        {apiVersion: v1, kind: Config, current-context: c,
         clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}],
         users: [{name: u, user: {token: %s}}],
         contexts: [{name: c, context: {cluster: c, user: u}}]}
        """
            .formatted(
                made.server(),
                Base64.getEncoder().encodeToString(authority.getBytes(UTF_8)),
                made.token().bearer()));
  }

  private static String user(Path kubeconfig) {
    try (ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(kubeconfig))) {
      return user(client);
    }
  }

  private static String user(ApiClient client) {
    String json = "application/json";
    byte[] body =
        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"
            .getBytes(UTF_8);
    JsonNode answer =
        client.exchange(
            ApiRequest.of(
                "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", json, json, body));
    return answer.path("status").path("userInfo").path("username").asText();
  }

  private AgentConfig config(String name) {
    return new AgentConfig(
        directory.resolve("agent"),
        name,
        InetAddress.getLoopbackAddress(),
        0,
        List.of(runtime.declaration()),
        AgentConfig.Traits.PLAIN);
  }

  private void awaitSigned() {
    ObjectKey key = new ObjectKey("kube-public", "cluster-info");
    await(
        () ->
            admin
                .json(ResourceType.CONFIG_MAPS)
                .find(key)
                .map(ObjectNode::toString)
                .orElse("")
                .contains("jws-kubeconfig-" + made.token().id()));
  }

  private void awaitReady(String name) {
    await(
        () ->
            admin
                .json(ResourceType.NODES)
                .find(new ObjectKey("", name))
                .map(ObjectNode::toString)
                .orElse("")
                .contains("KubeletReady"));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not happen within " + PATIENCE);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }
}
