package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.StandaloneAgent;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.simulation.SimulatedRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A machine joins a cluster by a token and is a node with its own certificate from then on.
final class JoinIT {
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
  }

  @AfterEach
  void stop() {
    runtime.close();
    admin.close();
    plane.close();
  }

  @Test
  void aMachineWithATokenBecomesANodeAndNeedsTheTokenOnlyOnce() throws Exception {
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token());
    writeManifest();
    try (StandaloneAgent agent = StandaloneAgent.start(config("n1"), entry)) {
      assertThat(agent.toString()).startsWith("n1 of " + made.server() + " runs with container:");
      awaitReady("n1");
      // The server lets a node show its static pods, and what has become of them.
      await(ResourceType.PODS, new ObjectKey("default", "web-n1"), "\"phase\":\"Running\"");
    }
    Path kubeconfig = directory.resolve("agent/agent/node.kubeconfig");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
        .isEqualTo("rw-------");
    admin
        .json(ResourceType.SECRETS)
        .delete(
            new ObjectKey("kube-system", "bootstrap-token-" + made.token().id()),
            dev.berth.client.DeleteOptions.DEFAULT);

    try (StandaloneAgent _ = StandaloneAgent.start(config("n1"), entry)) {
      String before = Files.readString(kubeconfig);
      NodeKubeconfig own = new NodeKubeconfig(kubeconfig);
      assertThat(own.renew("n1", Clock.systemUTC().instant())).isFalse();
      assertThat(own.renew("n1", Instant.parse("2100-01-01T00:00:00Z"))).isTrue();
      assertThat(Files.readString(kubeconfig)).isNotEqualTo(before);
    }
  }

  @Test
  void aServerWithAnotherAuthorityIsNotBelieved() {
    JoinToken wrong = new JoinToken(made.token().id(), made.token().secret(), "0".repeat(64));

    assertThatThrownBy(
            () -> StandaloneAgent.start(config("n1"), new NodeJoin.Join(made.server(), wrong)))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("its authority has the fingerprint " + made.token().fingerprint());
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeSo() {
    URI nobody = URI.create("https://127.0.0.1:1");

    assertThatThrownBy(() -> PinnedAuthority.fetch(nobody, made.token()))
        .hasMessage(
            "cannot join https://127.0.0.1:1: the connection was refused. Check"
                + " that the server runs, and that its --bind-address can be reached from this machine");
  }

  @Test
  void aWrongSecretAndTheNameOfALivingNodeAreRefused() throws Exception {
    JoinToken wrong =
        new JoinToken(made.token().id(), "aaaaaaaaaaaaaaaa", made.token().fingerprint());
    assertThatThrownBy(
            () -> StandaloneAgent.start(config("n1"), new NodeJoin.Join(made.server(), wrong)))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            "node n1 cannot join: the API server does not accept the token: it has expired, was"
                + " deleted, or is misspelled. Create a new token with `berth token`");
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token());
    try (StandaloneAgent _ = StandaloneAgent.start(config("n1"), entry)) {
      awaitReady("n1");
      NodeKubeconfig other = new NodeKubeconfig(directory.resolve("other.kubeconfig"));

      assertThatThrownBy(() -> other.join(made.server(), made.token(), "n1"))
          .hasMessageContaining("node \"n1\" is in the cluster already");
    }
  }

  @Test
  void onlyATokenThatMayTakesTheNameOfANodeThatIsAway() throws Exception {
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token());
    try (StandaloneAgent _ = StandaloneAgent.start(config("n1"), entry)) {
      awaitReady("n1");
    }
    Files.delete(directory.resolve("agent/agent/node.kubeconfig"));

    assertThatThrownBy(() -> StandaloneAgent.start(config("n1"), entry))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("node \"n1\" is in the cluster already")
        .hasMessageContaining("berth token --rejoin");
    JoinTokens.Made other = JoinTokens.create(plane.kubeconfig(), Duration.ofHours(1), true);
    NodeJoin.Join again = new NodeJoin.Join(other.server(), other.token());
    try (StandaloneAgent agent = StandaloneAgent.start(config("n1"), again)) {
      assertThat(agent.toString()).startsWith("n1 of " + made.server() + " runs with container:");
    }
  }

  @Test
  void aCertificateOfAnotherClusterOrNodeIsReplacedByTheTokens() throws Exception {
    NodeKubeconfig own = NodeKubeconfig.below(directory.resolve("agent"));
    own.join(made.server(), made.token(), "old");
    List<String> told = new ArrayList<>();
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token());

    try (StandaloneAgent agent = StandaloneAgent.start(config("n1"), entry, told::add)) {
      assertThat(agent.toString()).startsWith("n1 of " + made.server() + " runs with container:");
      awaitReady("n1");
    }
    assertThat(told)
        .containsExactly(
            "Joined %s again, because %s is of node old.".formatted(made.server(), own.file()));

    told.clear();
    NodeJoin.Join again = new NodeJoin.Join(made.server(), null);
    try (StandaloneAgent _ = StandaloneAgent.start(config("n1"), again, told::add)) {
      assertThat(told).containsExactly("Using the node's certificate in %s.".formatted(own.file()));
    }
  }

  @Test
  void whatDoesNotFitIsNamed() throws Exception {
    NodeKubeconfig own = NodeKubeconfig.below(directory.resolve("agent"));
    own.join(made.server(), made.token(), "n1");
    Instant now = Clock.systemUTC().instant();
    JoinToken other = new JoinToken(made.token().id(), made.token().secret(), "0".repeat(64));
    URI elsewhere = URI.create("https://192.0.2.1:6443");

    assertThat(own.mismatch(made.server(), made.token(), "n1", now)).isEmpty();
    assertThat(own.mismatch(made.server(), null, "n1", now)).isEmpty();
    assertThat(own.mismatch(elsewhere, made.token(), "n1", now))
        .contains("is for " + made.server());
    assertThat(own.mismatch(made.server(), other, "n1", now))
        .contains("trusts another authority than the token");
    assertThat(own.mismatch(made.server(), made.token(), "n2", now)).contains("is of node n1");
    assertThat(
            own.mismatch(made.server(), made.token(), "n1", Instant.parse("2100-01-01T00:00:00Z")))
        .hasValueSatisfying(why -> assertThat(why).startsWith("has expired at 20"));
    assertThatThrownBy(
            () -> StandaloneAgent.start(config("n1"), new NodeJoin.Join(elsewhere, null)))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            ("node n1 cannot join %s without a token: %s is for %s. Set --token to what `berth"
                    + " token` prints on the server, or choose another directory with --data-dir")
                .formatted(elsewhere, own.file(), made.server()));
    Files.writeString(own.file(), "nonsense");
    assertThat(own.mismatch(made.server(), made.token(), "n1", now))
        .hasValueSatisfying(why -> assertThat(why).startsWith("cannot be read ("));
  }

  @Test
  void aTakenPortOrDirectoryIsNamedWithWhoHasIt() throws Exception {
    NodeJoin.Join entry = new NodeJoin.Join(made.server(), made.token());
    long self = ProcessHandle.current().pid();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> StandaloneAgent.start(config("n1", taken.getLocalPort()), entry))
          .isInstanceOf(LaunchException.class)
          .hasMessageMatching(
              "cannot listen on 127.0.0.1 port \\d+: process %d \\(.*\\) holds the port\\. Stop that process, or choose another port with --port \\(0 takes any free one\\)"
                  .formatted(self));
    }
    try (StandaloneAgent _ = StandaloneAgent.start(config("n1"), entry)) {
      assertThatThrownBy(() -> StandaloneAgent.start(config("n1"), entry))
          .isInstanceOf(LaunchException.class)
          .hasMessageStartingWith("the agent of node n1 cannot start: another server listens at ")
          .hasMessageContaining("runtimes.sock (process %d (".formatted(self))
          .hasMessageEndingWith(
              "Stop the other agent, or choose another directory with --data-dir");
    }
  }

  private void writeManifest() throws IOException {
    Files.writeString(
        Files.createDirectories(directory.resolve("manifests")).resolve("web.yaml"),
        "{metadata: {name: web}, spec: {containers: [{name: main, image: sim/web}]}}");
  }

  private AgentConfig config(String name) {
    return config(name, 0);
  }

  private AgentConfig config(String name, int port) {
    AgentConfig.Traits plain = AgentConfig.Traits.PLAIN;
    return new AgentConfig(
        directory.resolve("agent"),
        name,
        InetAddress.getLoopbackAddress(),
        port,
        List.of(runtime.declaration()),
        new AgentConfig.Traits(
            plain.labels(),
            plain.taints(),
            plain.maxPods(),
            plain.reserved(),
            plain.readiness(),
            plain.pods().withManifests(directory.resolve("manifests")),
            plain.system()));
  }

  private void awaitReady(String name) {
    await(ResourceType.NODES, new ObjectKey("", name), "KubeletReady");
  }

  private void await(ResourceType type, ObjectKey key, String status) {
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (System.nanoTime() < end) {
      ObjectNode found = admin.json(type).find(key).orElse(null);
      if (found != null && found.path("status").toString().contains(status)) {
        return;
      }
      LockSupport.parkNanos(10_000_000);
    }
    throw new AssertionError("no " + key + " whose status has " + status);
  }
}
