package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.join.RotatedCertificate.Renewal;
import dev.berth.launch.simulation.SimulatedRuntime;
import dev.berth.server.pki.ClusterPki;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An agent with an administrator's kubeconfig renews its client certificate without touching that
/// file, by CertificateSigningRequest as a kubelet does.
final class RotatedCertificateIT {
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir private Path directory;
  private ControlPlane plane;
  private ApiClient admin;

  @BeforeEach
  void start() {
    plane = ControlPlane.start(LaunchConfig.embedded(directory.resolve("server")));
    admin = ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig()));
  }

  @AfterEach
  void stop() {
    admin.close();
    plane.close();
  }

  @Test
  void aRunningAgentOutlivesTheCertificateOfItsKubeconfig() throws Exception {
    Duration left = Duration.ofMinutes(2);
    Path kubeconfig = kubeconfig(left);
    Instant end = CLOCK.instant().plus(left);
    String before = Files.readString(kubeconfig);
    try (SimulatedRuntime runtime =
            SimulatedRuntime.start(new LinuxSystem().simulated(), Clock.systemUTC());
        StandaloneAgent _ =
            StandaloneAgent.start(config(runtime), new NodeJoin.Kubeconfig(kubeconfig))) {
      await(() -> !renewed().isEmpty());

      // The server refuses the certificate of the kubeconfig by now.
      await(() -> lastLease().isAfter(end.plusSeconds(10)));
    }
    assertThat(Files.readString(kubeconfig)).isEqualTo(before);
    assertThat(renewed()).hasSize(1);
  }

  @Test
  void aRequestThatNobodyApprovesIsExplainedAndRepeatedAsTheSame() throws Exception {
    leaveRenewalsToAPerson();
    Path kubeconfig = kubeconfig(Duration.ofDays(1));
    RotatedCertificate rotated = rotated(kubeconfig, CLOCK);

    Renewal first = rotated.attempt();
    Renewal second = rotated.attempt();

    assertThat(requests()).hasSize(1);
    String request = requests().getFirst().path("metadata").path("name").asText();
    assertThat(first).isEqualTo(second).isInstanceOf(Renewal.Refused.class);
    assertThat(((Renewal.Refused) first).problem().toString())
        .startsWith(
            ("the client certificate of node n1 is not renewed: CertificateSigningRequest %s waits"
                    + " for approval: `kubectl certificate approve %s`. The node uses its certificate"
                    + " until ")
                .formatted(request, request))
        .endsWith(
            " and repeats the request every minute; approve the request, or replace the certificate"
                + " in %s, which is reloaded within seconds".formatted(kubeconfig));

    approve(requests().getFirst());
    await(() -> isRenewed(rotated));
    assertThat(requests()).hasSize(1);
    ClientConfig given = ClientConfig.fromKubeconfig(kubeconfig);
    assertThat(rotated.current(given).certificate()).isNotEqualTo(given.certificate());
    assertThat(rotated.attempt()).isInstanceOf(Renewal.NotDue.class);

    // A certificate that a person puts into the kubeconfig takes precedence.
    kubeconfig(Duration.ofDays(200));
    ClientConfig replaced = ClientConfig.fromKubeconfig(kubeconfig);
    assertThat(rotated.current(replaced).certificate()).isEqualTo(replaced.certificate());
  }

  @Test
  void anExpiredCertificateIsExplained() throws Exception {
    Path kubeconfig = kubeconfig(Duration.ofDays(-1));

    Renewal renewal = rotated(kubeconfig, CLOCK).attempt();

    assertThat(renewal).isInstanceOf(Renewal.Refused.class);
    assertThat(((Renewal.Refused) renewal).problem().remedy())
        .startsWith("The certificate expired at ")
        .endsWith(
            ", so the API server rejects the node; replace the certificate in %s, which is reloaded within seconds"
                .formatted(kubeconfig));
    assertThat(requests()).isEmpty();
  }

  @Test
  void theCertificateOfAPersonIsNotReplacedByOneOfANode() throws Exception {
    Clock late = Clock.offset(CLOCK, YEAR.multipliedBy(2));

    assertThat(rotated(plane.kubeconfig(), late).attempt())
        .isInstanceOfSatisfying(
            Renewal.NotPossible.class,
            kept -> assertThat(kept.why()).contains("kubernetes-admin", "not of system:node:n1"));
    assertThat(requests()).isEmpty();
  }

  private RotatedCertificate rotated(Path kubeconfig, Clock clock) {
    return new RotatedCertificate(kubeconfig, files(), "n1", clock, Duration.ofSeconds(2));
  }

  private static boolean isRenewed(RotatedCertificate rotated) {
    try {
      return rotated.attempt() instanceof Renewal.Renewed;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Path files() {
    return directory.resolve("agent/agent");
  }

  private List<Path> renewed() {
    if (!Files.isDirectory(files())) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(files())) {
      return all.filter(file -> file.getFileName().toString().startsWith("client-certificate-"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// In the form of kubeadm: certificate and key are in one file beside it.
  ///
  /// @param left of the year that the certificate is valid
  private Path kubeconfig(Duration left) throws IOException, GeneralSecurityException {
    Path authority = Files.createDirectories(directory.resolve("authority"));
    Path present = directory.resolve("server/pki/ca.pem");
    Files.writeString(authority.resolve("ca.pem"), Files.readString(present));
    ClusterPki pki =
        ClusterPki.open(authority, Clock.offset(CLOCK, left.minus(YEAR)), List.of("127.0.0.1"));
    KeyPair keys = KeyMaterial.newKeys();
    Path pem = directory.resolve("kubelet-client-current.pem");
    Files.writeString(
        pem,
        pki.nodeCertificate("n1", keys.getPublic())
            + PemBlocks.encode(PemBlocks.PRIVATE_KEY, keys.getPrivate().getEncoded()));
    return Files.writeString(
        directory.resolve("kubelet.conf"),
        """
        ---
        {apiVersion: v1, kind: Config, current-context: c,
         clusters: [{name: c, cluster: {server: "%s", certificate-authority: %s}}],
         users: [{name: u, user: {client-certificate: %s, client-key: %s}}],
         contexts: [{name: c, context: {cluster: c, user: u}}]}
        """
            .formatted(
                ClientConfig.fromKubeconfig(plane.kubeconfig()).server(),
                directory.resolve("server/pki/ca.crt"),
                pem,
                pem));
  }

  private AgentConfig config(SimulatedRuntime runtime) {
    return new AgentConfig(
        directory.resolve("agent"),
        "n1",
        InetAddress.getLoopbackAddress(),
        0,
        List.of(runtime.declaration()),
        AgentConfig.Traits.PLAIN);
  }

  private Instant lastLease() {
    return admin
        .json(ResourceType.LEASES)
        .find(new ObjectKey("kube-node-lease", "n1"))
        .map(lease -> Instant.parse(lease.path("spec").path("renewTime").asText()))
        .orElse(Instant.EPOCH);
  }

  private List<ObjectNode> requests() {
    return admin.json(ResourceType.CERTIFICATE_SIGNING_REQUESTS).list(ListQuery.ALL);
  }

  private void leaveRenewalsToAPerson() {
    ObjectKey role =
        new ObjectKey("", "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient");
    ObjectNode changed = admin.json(ResourceType.CLUSTER_ROLES).get(role);
    changed.putArray("rules");
    admin.json(ResourceType.CLUSTER_ROLES).update(changed);
  }

  private void approve(ObjectNode request) {
    request
        .withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Approved")
        .put("status", "True")
        .put("reason", "ByAPerson");
    admin.json(ResourceType.CERTIFICATE_SIGNING_REQUESTS).update(request, "approval");
  }

  private static void await(BooleanSupplier condition) {
    Duration patience = Duration.ofMinutes(5);
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not happen within " + patience);
      }
      LockSupport.parkNanos(50_000_000);
    }
  }
}
