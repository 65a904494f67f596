package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.certificates.NodeTls;
import dev.berth.agent.node.certificates.ServingCertificate;
import dev.berth.agent.node.certificates.SignedByServer;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.process.Closeables;
import dev.berth.launch.simulation.SimulatedRuntime;
import dev.berth.relay.AnyCertificate;
import dev.berth.scheduler.model.ClassScheduling;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--rotate-server-certificates`: a node requests the certificate of its server as a kubelet does.
@SuppressWarnings("NullAway") // every test starts its own control plane, which fills the fields
final class ServingRequestsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SERVING = "kubernetes.io/kubelet-serving";

  @TempDir private Path directory;
  private final Closeables closeables = new Closeables();
  private ApiClient admin;
  private JoinTokens.Made made;

  private void start(boolean approveServing) {
    LaunchConfig usual = LaunchConfig.embedded(directory.resolve("server"));
    LaunchConfig.LocalClients clients =
        new LaunchConfig.LocalClients(true, true, approveServing, ClassScheduling.OFFERED);
    ControlPlane plane =
        closeables.add(
            ControlPlane.start(new LaunchConfig(usual.server(), usual.store(), clients, null)));
    admin = closeables.add(ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig())));
    made = JoinTokens.create(plane.kubeconfig(), Duration.ofHours(1));
  }

  @AfterEach
  void stop() {
    closeables.close();
  }

  @Test
  void aPersonApprovesWhereTheServerMayNotAndTheNodeServesWithIt() throws Exception {
    start(false);
    startNode("n1");
    await(() -> requests().size() == 1);
    ObjectNode request = requests().getFirst();
    assertThat(request.at("/spec/username").asText()).isEqualTo("system:node:n1");
    assertThat(request.at("/spec/usages").toString())
        .isEqualTo("[\"digital signature\",\"server auth\"]");

    // A later request that is approved by rule shows that the one before was judged.
    NodeKubeconfig own = NodeKubeconfig.below(directory.resolve("agent"));
    own.joinByRequest(ClientConfig.fromKubeconfig(own.file()), "n1", PATIENCE);
    assertThat(requests()).hasSize(1);
    assertThat(requests().getFirst().at("/status/conditions").isMissingNode()).isTrue();
    await(() -> port("n1") > 0);
    assertThatThrownBy(() -> shown("n1")).isInstanceOf(SSLException.class);

    approve(requests().getFirst());
    await(() -> !issued().isEmpty());
    X509Certificate certificate = KeyMaterial.certificate(issued());
    await(() -> certificate.equals(shownOrNull("n1")));
    assertThat(certificate.getIssuerX500Principal().getName()).isEqualTo("CN=berth-node-ca");
  }

  @Test
  void theServerApprovesByItselfAndTheNodeAsksAgainBeforeTheEnd() throws Exception {
    start(true);
    NodeKubeconfig own = NodeKubeconfig.below(directory.resolve("agent"));
    own.join(made.server(), made.token(), "n2");
    ApiClient node = closeables.add(ApiClient.open(ClientConfig.fromKubeconfig(own.file())));
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    NodeTls tls = new NodeTls();
    Duration look = Duration.ofMillis(20);
    closeables.add(
        ServingCertificate.start(
            tls,
            new SignedByServer(node, "n2", List.of(), directory, true),
            now::get,
            new Backoff(look, Duration.ofSeconds(1), new Random(1)),
            look));
    await(() -> tls.getCertificateChain("node") != null);
    X509Certificate first = tls.getCertificateChain("node")[0];
    assertThat(first.getSubjectX500Principal().getName())
        .isEqualTo("CN=system:node:n2,O=system:nodes");
    assertThat(requests()).hasSize(1);

    now.set(first.getNotAfter().toInstant().minus(Duration.ofDays(30)));

    await(() -> !tls.getCertificateChain("node")[0].equals(first));
    assertThat(requests().size()).isGreaterThanOrEqualTo(2);
    assertThat(tls.getCertificateChain("node")[0].getPublicKey())
        .isNotEqualTo(first.getPublicKey());
  }

  private void startNode(String name) throws InterruptedException {
    SimulatedRuntime runtime =
        closeables.add(SimulatedRuntime.start(new LinuxSystem().simulated(), Clock.systemUTC()));
    AgentConfig config =
        new AgentConfig(
                directory.resolve("agent"),
                name,
                InetAddress.getLoopbackAddress(),
                0,
                List.of(runtime.declaration()),
                AgentConfig.Traits.PLAIN)
            .requestingServing(true);
    closeables.add(
        StandaloneAgent.start(config, new NodeJoin.Join(made.server(), made.token(), false)));
  }

  private List<ObjectNode> requests() {
    return admin.json(ResourceType.CERTIFICATE_SIGNING_REQUESTS).list(ListQuery.ALL).stream()
        .filter(request -> request.at("/spec/signerName").asText().equals(SERVING))
        .toList();
  }

  private String issued() {
    String base64 = requests().getFirst().at("/status/certificate").asText();
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }

  private void approve(ObjectNode request) {
    ResourceClient<ObjectNode> all = admin.json(ResourceType.CERTIFICATE_SIGNING_REQUESTS);
    request
        .withObjectProperty("status")
        .withArrayProperty("conditions")
        .addObject()
        .put("type", "Approved")
        .put("status", "True")
        .put("reason", "Test");
    all.update(request, "approval");
  }

  private int port(String node) {
    return admin
        .json(ResourceType.NODES)
        .find(new ObjectKey("", node))
        .map(found -> found.at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt())
        .orElse(0);
  }

  private X509Certificate shownOrNull(String node) {
    try {
      return shown(node);
    } catch (IOException _) {
      return null;
    }
  }

  private X509Certificate shown(String node) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            AnyCertificate.context()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port(node))) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
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
