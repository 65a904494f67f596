package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.StreamPod;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRule.Failure;
import dev.berth.sim.knobs.FaultRule.Subject;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What can happen to pods on their way.
public final class PodLifeTest {
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
    node.service("one");
  }

  @AfterEach
  void tearDown() {
    node.close();
  }

  @Test
  void initContainersEndBeforeTheOthersStart() throws Exception {
    node.start();
    node.pod(
        "web",
        """
        restartPolicy: Never
        initContainers:
        - {name: first, image: "busybox:1", command: [sh, -c, "exit 0"]}
        - {name: second, image: "busybox:1", command: [sh, -c, "exit 0"]}
        containers:
        - {name: main, image: "busybox:1", command: [sh, -c, "exit 0"]}
        """);
    JsonNode status = node.awaitPhase("web", "Succeeded");

    assertThat(status.path("initContainerStatuses"))
        .allSatisfy(
            one ->
                assertThat(one.path("state").path("terminated").path("reason").asText())
                    .isEqualTo("Completed"));
    assertThat(PodAgentTest.condition(status, "Initialized").path("reason").asText())
        .isEqualTo("PodCompleted");
  }

  @Test
  void withoutEventsTheEndOfAContainerIsSeenByLists() throws Exception {
    node.simulator("one").setEvents(false);
    node.start();
    node.pod(
        "task",
        "{restartPolicy: Never, containers: [{name: main, image: 'busybox:1', command: [sleep, '0.3']}]}");

    node.awaitPhase("task", "Running");
    node.awaitPhase("task", "Succeeded");
  }

  @Test
  void aContainerThatFailsIsStartedAgainAndThenWaits() throws Exception {
    node.start();
    node.pod(
        "web", "{containers: [{name: main, image: 'busybox:1', command: [sh, -c, 'exit 3']}]}");

    JsonNode status =
        node.await(
            "web",
            "waits",
            now ->
                now.path("containerStatuses")
                    .path(0)
                    .path("state")
                    .path("waiting")
                    .path("reason")
                    .asText()
                    .equals("CrashLoopBackOff"));

    JsonNode container = status.path("containerStatuses").path(0);
    assertThat(container.path("restartCount").asInt()).isEqualTo(1);
    assertThat(container.path("lastState").path("terminated").path("exitCode").asInt())
        .isEqualTo(3);
    assertThat(status.path("phase").asText()).isEqualTo("Running");
    String uid = node.find("web").orElseThrow().at("/metadata/uid").asText();
    Await.until(
        "users are told",
        () ->
            node.events("web")
                .contains(
                    "BackOff: Back-off restarting failed container main in pod web_default(%s)"
                        .formatted(uid)));
    assertThat(node.agent().find(StreamPod.of("default", "web"), "main"))
        .isInstanceOfSatisfying(
            ContainerLocation.Found.class,
            found -> {
              assertThat(found.log()).hasFileName("1.log");
              assertThat(found.previousLog())
                  .as("it waits: the newest instance is the one before the next")
                  .isEqualTo(found.log());
            });
  }

  @Test
  void aPullThatNeverEndsDoesNotKeepAPodFromGoing() throws Exception {
    node.simulator("one").knobs().faults().add(hang("PullImage"));
    node.start();
    node.pod("web", SLEEPER);
    Await.until(
        "the pull has begun",
        () -> node.simulator("one").knobs().faults().list().getFirst().acted() > 0);

    node.delete("web");

    node.awaitGone("web");
  }

  @Test
  void aPodThatCannotHaveItsSafetyDoesNotRun() throws Exception {
    node.start();
    node.pod(
        "kernel", "securityContext: {sysctls: [{name: kernel.msgmax, value: '1'}]}\n" + SLEEPER);

    JsonNode refused = node.awaitPhase("kernel", "Failed");
    assertThat(refused.path("reason").asText()).isEqualTo("SysctlForbidden");
    assertThat(refused.path("message").asText())
        .contains("forbidden sysctl: \"kernel.msgmax\" not allowlisted");
    assertThat(node.simulator("one").machine().containerCount()).isZero();
  }

  @Test
  void aPodThatCannotBeConfinedIsNotTaken() throws Exception {
    node.withoutAppArmor().start();
    node.pod("armed", "securityContext: {appArmorProfile: {type: RuntimeDefault}}\n" + SLEEPER);

    JsonNode refused = node.awaitPhase("armed", "Failed");
    assertThat(refused.path("reason").asText()).isEqualTo("AppArmor");
    assertThat(refused.path("message").asText())
        .isEqualTo(
            "Pod was rejected: Cannot enforce AppArmor: AppArmor is not enabled on the host");
    Await.until(
        "users are told",
        () ->
            node.events("armed")
                .contains(
                    "AppArmor: Cannot enforce AppArmor: AppArmor is not enabled on the host"));
    assertThat(node.simulator("one").machine().containerCount()).isZero();
  }

  @Test
  void whoClearsUpFindsAPodThatGotNoSandbox() throws Exception {
    node.simulator("one")
        .knobs()
        .faults()
        .add(
            new FaultRule(
                new GlobPattern("RunPodSandbox"),
                Subject.ANYTHING,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(new Failure(Status.Code.UNKNOWN, "no network")),
                false,
                RuleFrequency.ALWAYS));
    node.start();
    node.pod("web", SLEEPER);

    Await.until(
        "users are told",
        () -> node.events("web").stream().anyMatch(e -> e.startsWith("FailedCreatePodSandBox")));
    assertThat(directory.resolve("pods")).isDirectoryContaining(Files::isDirectory);
  }

  @Test
  void anImageThatCannotBePulledIsToldAndTriedLater() throws Exception {
    node.simulator("one")
        .knobs()
        .faults()
        .add(
            new FaultRule(
                new GlobPattern("PullImage"),
                Subject.ANYTHING,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(new Failure(Status.Code.UNKNOWN, "no route to host")),
                false,
                RuleFrequency.ALWAYS));
    node.start();
    node.pod("web", "imagePullSecrets: [{name: mine}]\n" + SLEEPER);

    JsonNode status =
        node.await(
            "web",
            "backs off",
            now ->
                now.path("containerStatuses")
                    .path(0)
                    .path("state")
                    .path("waiting")
                    .path("reason")
                    .asText()
                    .equals("ImagePullBackOff"));

    assertThat(status.path("phase").asText()).isEqualTo("Pending");
    Await.until(
        "users are told", () -> node.events("web").contains("Failed: Error: ImagePullBackOff"));
    assertThat(node.events("web"))
        .contains(
            "BackOff: Back-off pulling image \"busybox:1\"",
            "FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (mine);"
                + " attempting to pull the image may not succeed.",
            "Failed: Failed to pull image \"busybox:1\": rpc error: code = Unknown desc = no route to host",
            "Failed: Error: ErrImagePull");
  }

  @Test
  void aRuntimeThatDoesNotAnswerChangesNothingAndHoldsNobodyElseUp() throws Exception {
    node.service("two");
    node.start();
    node.pod("web", SLEEPER);
    JsonNode before = node.awaitPhase("web", "Running");

    node.simulator("one").crash();
    node.pod("other", "runtimeServiceName: two\n" + SLEEPER);
    node.awaitPhase("other", "Running");

    assertThat(node.status("web")).isEqualTo(before);
    node.simulator("one").serve();
    node.pod("again", "runtimeServiceName: one\n" + SLEEPER);
    node.awaitPhase("again", "Running");
    assertThat(node.status("web")).isEqualTo(before);
  }

  @Test
  void nothingIsWrittenWhenNothingChanges() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    node.api.onRequest(
        request -> {
          if (request.method().equals("PATCH") && request.target().endsWith("/status")) {
            writes.incrementAndGet();
          }
        });
    node.start();
    node.pod("web", SLEEPER);
    node.awaitPhase("web", "Running");
    int afterStart = writes.get();

    node.pod("other", SLEEPER);
    node.awaitPhase("other", "Running");

    assertThat(afterStart).isLessThanOrEqualTo(4);
    assertThat(writes.get()).isLessThanOrEqualTo(2 * 4);
  }

  @Test
  void whatWasDeletedWhileTheAgentWasAwayGoes() throws Exception {
    node.start();
    node.pod("web", SLEEPER);
    node.awaitPhase("web", "Running");
    node.stopAgent();
    node.delete("web");
    assertThat(node.api.find(ResourceType.PODS, new ObjectKey("default", "web"))).isPresent();
    forceDelete("web");

    node.start();

    Await.until("nothing is left", () -> node.simulator("one").machine().sandboxCount() == 0);
  }

  @Test
  void whatNobodyWantsIsNotBegunWith() throws Exception {
    Path pods = directory.resolve("pods");
    for (int i = 0; i < 300; i++) {
      Files.createDirectories(pods.resolve("left-" + i));
    }

    node.start();

    Await.until("nothing is left", () -> Objects.requireNonNull(pods.toFile().list()).length == 0);
    assertThat(directory.resolve("runtimes/bindings")).content().doesNotContain("left-");
  }

  private void forceDelete(String name) {
    try (var client = new dev.berth.client.ApiClient(node.api)) {
      client
          .json(ResourceType.PODS)
          .delete(
              new ObjectKey("default", name),
              dev.berth.client.DeleteOptions.DEFAULT.withGracePeriod(0));
    }
  }

  @Test
  void aManifestRunsAndTheApiShowsIt() throws Exception {
    Path manifests = Files.createDirectories(directory.resolve("manifests"));
    Path file = manifests.resolve("web.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: web}
        spec:
          terminationGracePeriodSeconds: 1
          containers:
          - {name: main, image: "busybox:1", command: [sleep, "1000"]}
        """);
    String uid =
        node.create(ResourceType.NODES, "{metadata: {name: node-1}}").at("/metadata/uid").asText();
    node.withManifests(manifests).start();

    node.awaitPhase("web-node-1", "Running");
    JsonNode mirror = node.find("web-node-1").orElseThrow();
    assertThat(mirror.at("/metadata/annotations/kubernetes.io~1config.source").asText())
        .isEqualTo("file");
    assertThat(mirror.at("/metadata/ownerReferences").toString())
        .isEqualTo(
            "[{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"controller\":true,\"name\":\"node-1\",\"uid\":\"%s\"}]",
            uid);
    assertThat(mirror.at("/spec/tolerations").toString())
        .isEqualTo("[{\"effect\":\"NoExecute\",\"operator\":\"Exists\"}]");
    forceDelete("web-node-1");
    Await.until("it is shown again", () -> node.find("web-node-1").isPresent());
    node.awaitPhase("web-node-1", "Running");
    node.stopAgent();
    Files.delete(file);
    node.start();

    node.awaitGone("web-node-1");
    Await.until("nothing is left", () -> node.simulator("one").machine().sandboxCount() == 0);
  }

  @Test
  void othersFindAContainerAndItsLogs() throws Exception {
    node.start();
    node.pod("web", SLEEPER);
    node.awaitPhase("web", "Running");

    assertThat(node.agent().find(StreamPod.of("default", "web"), "main"))
        .isInstanceOfSatisfying(
            ContainerLocation.Found.class,
            found -> {
              assertThat(found.service().name()).isEqualTo("one");
              assertThat(found.log()).isNotNull();
            });
    assertThat(node.agent().find(StreamPod.of("default", "web"), "none"))
        .isEqualTo(
            new ContainerLocation.NotFound("container \"none\" not found in pod \"web_default\""));
    assertThat(node.agent().pods())
        .singleElement()
        .satisfies(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));
  }

  /// A call that is never answered.
  public static FaultRule hang(String call) {
    return new FaultRule(
        new GlobPattern(call),
        Subject.ANYTHING,
        Duration.ZERO,
        Duration.ZERO,
        Optional.empty(),
        true,
        RuleFrequency.ALWAYS);
  }
}
