package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.sim.SimConfig;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The life of pods from the API to a runtime service and back.
final class PodAgentTest {
  private static final String SLEEPER =
      """
      terminationGracePeriodSeconds: 1
      containers:
      - {name: main, image: "busybox:1", command: [sleep, "1000"]}
      """;

  @TempDir private Path directory;
  private TestNode node;

  @BeforeEach
  void setUp() {
    node = new TestNode(directory);
  }

  @AfterEach
  void tearDown() {
    node.close();
  }

  @Test
  void aPodRunsAndGoes() throws Exception {
    node.service("one");
    node.start();

    node.pod("web", SLEEPER);
    JsonNode status = node.awaitPhase("web", "Running");

    assertThat(status.path("podIP").asText()).startsWith("10.88.");
    assertThat(status.path("hostIP").asText()).isEqualTo("192.0.2.7");
    JsonNode container = status.path("containerStatuses").path(0);
    assertThat(container.path("ready").asBoolean()).isTrue();
    assertThat(container.path("containerID").asText()).startsWith("berth-sim://");
    assertThat(condition(status, "Ready").path("status").asText()).isEqualTo("True");
    assertThat(condition(status, "RuntimeServiceBound").path("message").asText())
        .isEqualTo("runtime service \"one\", its default handler");

    node.delete("web");
    node.awaitGone("web");
    assertThat(node.simulator("one").machine().sandboxCount()).isZero();
  }

  @Test
  void aClassThatIsNotThereFailsThePodAndSaysWhatIsOffered() throws Exception {
    node.service("one");
    node.start();

    node.pod("web", "runtimeClassName: gvisor\n" + SLEEPER);
    JsonNode status = node.awaitPhase("web", "Failed");

    assertThat(status.path("reason").asText()).isEqualTo("RuntimeClassNotFound");
    assertThat(status.path("message").asText())
        .contains("runtimeclass.node.k8s.io \"gvisor\" not found")
        .contains("one (container, handlers: ");
  }

  @Test
  void aHandlerThatNobodyOffersIsRetriedAsAnErrorOfTheSandbox() throws Exception {
    node.service("one");
    node.start();
    node.create(ResourceType.RUNTIME_CLASSES, "{metadata: {name: kata}, handler: kata-qemu}");

    node.pod("web", "runtimeClassName: kata\n" + SLEEPER);

    JsonNode status =
        node.await("web", "says why", one -> one.toString().contains("handler \\\"kata-qemu"));
    assertThat(status.path("phase").asText()).isEqualTo("Pending");
    assertThat(status.at("/containerStatuses/0/state/waiting/reason").asText())
        .isEqualTo("ContainerCreating");
    Await.until(
        "users are told",
        () ->
            node.events("web").stream()
                .anyMatch(
                    one ->
                        one.startsWith(
                            "FailedCreatePodSandBox: Failed to create pod sandbox: pod default/web"
                                + " cannot start: no runtime service on this node offers handler")));
  }

  @Test
  void withThePolicyFailAHandlerThatNobodyOffersFailsThePod() throws Exception {
    node.service("one");
    node.with(UnresolvedPolicy.FAIL).start();
    node.create(ResourceType.RUNTIME_CLASSES, "{metadata: {name: kata}, handler: kata-qemu}");

    node.pod("web", "runtimeClassName: kata\n" + SLEEPER);
    JsonNode status = node.awaitPhase("web", "Failed");

    assertThat(status.path("message").asText()).contains("offers handler \"kata-qemu\"");
  }

  @Test
  void withThePolicyRetryThePodWaitsForItsClass() throws Exception {
    node.service("one");
    node.with(UnresolvedPolicy.RETRY).start();

    node.pod("web", "runtimeClassName: late\n" + SLEEPER);
    Await.until(
        "users are told",
        () -> node.events("web").stream().anyMatch(e -> e.startsWith("FailedCreatePodSandBox")));

    assertThat(node.awaitPhase("web", "Pending").path("reason").isMissingNode()).isTrue();
  }

  @Test
  void anAgentThatComesBackFindsTheSameContainers() throws Exception {
    node.service("one");
    node.start();
    node.pod("web", SLEEPER);
    JsonNode before = node.awaitPhase("web", "Running");

    node.stopAgent();
    node.start();
    node.pod("later", SLEEPER);
    node.awaitPhase("later", "Running");

    assertThat(node.status("web")).isEqualTo(before);
    node.delete("web");
    node.awaitGone("web");
  }

  @Test
  void aPodGetsItsOwnUsersWhereTheHandlerCanAndDoesNotStartElsewhere() throws Exception {
    Simulator simulator =
        node.service(
            "one",
            config ->
                SimConfig.of(
                    config.name(),
                    config.endpoint(),
                    config
                        .profile()
                        .withHandlers(
                            List.of(
                                new SimHandler("able", true, "a", Map.of(), true, true),
                                new SimHandler("old", false, "b", Map.of(), false, false)))));
    node.create(ResourceType.RUNTIME_CLASSES, "{metadata: {name: old}, handler: old}");
    node.start();

    node.pod("refused", "runtimeClassName: old\nhostUsers: false\n" + SLEEPER);
    Await.until(
        "users are told",
        () ->
            node.events("refused")
                .contains(
                    "FailedCreatePodSandBox: Failed to create pod sandbox: can't set"
                        + " `spec.hostUsers: false`, RuntimeClass handler \"old\" does not support"
                        + " user namespaces"));
    node.delete("refused");
    node.awaitGone("refused");

    node.pod("web", "hostUsers: false\n" + SLEEPER);
    node.awaitPhase("web", "Running");
    LinuxSandboxSecurityContext security =
        simulator.machine().sandbox(onlySandbox()).config().getLinux().getSecurityContext();
    assertThat(security.getNamespaceOptions().getUsernsOptions().getUids(0).getHostId())
        .isEqualTo(1 << 16);
    node.delete("web");
    node.awaitGone("web");
    assertThat(directory.resolve("pods")).isEmptyDirectory();
  }

  private String onlySandbox() {
    return node.registry()
        .runtimeServices()
        .getFirst()
        .runtime()
        .listPodSandboxes(PodSandboxFilter.getDefaultInstance())
        .getFirst()
        .getId();
  }

  static JsonNode condition(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    throw new AssertionError("no condition " + type + " in " + status);
  }
}
