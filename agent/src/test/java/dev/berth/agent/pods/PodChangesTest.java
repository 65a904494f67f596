package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpServer;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.sim.Simulator;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import dev.berth.sim.model.MachineInventory;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods that change while they run, and hooks.
final class PodChangesTest {
  private static final String OTHER_IMAGE =
      "{spec: {containers: [{name: main, image: 'busybox:2', command: [sleep, '1000']}]}}";

  @TempDir private Path directory;
  private TestNode node;
  private Simulator simulator;

  @BeforeEach
  void setUp() throws Exception {
    node = new TestNode(directory);
    simulator = node.service("one");
    node.start();
  }

  @AfterEach
  void tearDown() {
    node.close();
  }

  @Test
  void aDebuggingContainerJoinsARunningPod() throws Exception {
    sleeper("web", "{}");
    node.awaitPhase("web", "Running");

    patch(
        "web",
        "{spec: {ephemeralContainers: [{name: debug, image: 'busybox:1', command: [sleep, '1000'], targetContainerName: main}]}}");

    JsonNode status =
        node.await(
            "web",
            "is debugged",
            now -> now.path("ephemeralContainerStatuses").path(0).path("state").has("running"));
    assertThat(status.path("containerStatuses").path(0).path("restartCount").asInt()).isZero();
  }

  @Test
  void newResourcesReachTheRunningContainer() throws Exception {
    sleeper("web", "{resources: {limits: {memory: 64Mi}}}");
    JsonNode before = node.awaitPhase("web", "Running");
    String id = id(before);
    assertThat(memory(id)).isEqualTo(64L << 20);

    patch("web", withLimit("96Mi"));

    Await.until("it has more memory", () -> memory(id) == 96L << 20);
    JsonNode status =
        node.await(
            "web",
            "tells of it",
            now ->
                now.at("/containerStatuses/0/resources/limits/memory").asText().equals("96Mi")
                    && !now.has("resize"));
    assertThat(id(status)).isEqualTo(id);
  }

  @Test
  void aLimitBelowWhatIsUsedWaitsAndSaysWhy() throws Exception {
    node.create(
        ResourceType.PODS,
        """
        metadata: {name: web, namespace: default, annotations: {sim.berth.dev/memory: 48Mi}}
        spec:
          nodeName: %s
          containers:
          - {name: main, image: "busybox:1", command: [sleep, "1000"], resources: {limits: {memory: 64Mi}}}
        """
            .formatted(TestNode.NAME));
    String id = id(node.awaitPhase("web", "Running"));

    patch("web", withLimit("32Mi"));

    Await.until(
        "it is told",
        () ->
            node.events("web")
                .contains(
                    "ResizeError: Container main cannot be resized: it uses 50331648 bytes of memory, more than its new limit of 33554432. The limit changes when it uses less"));
    assertThat(memory(id)).isEqualTo(64L << 20);
  }

  @Test
  void aResizeThatTheRuntimeRefusesIsTold() throws Exception {
    simulator
        .knobs()
        .faults()
        .add(
            new FaultRule(
                new GlobPattern("UpdateContainerResources"),
                FaultRule.Subject.ANYTHING,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(new FaultRule.Failure(Status.Code.INTERNAL, "no such cgroup")),
                false,
                RuleFrequency.ALWAYS));
    sleeper("web", "{resources: {limits: {memory: 64Mi}}}");
    node.awaitPhase("web", "Running");

    patch("web", withLimit("96Mi"));

    Await.until(
        "it is told",
        () ->
            node.events("web")
                .contains("ResizeError: Container main cannot be resized: no such cgroup"));
  }

  @Test
  void aResizeThatWantsARestartGetsOne() throws Exception {
    String policy = "resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]";
    sleeper("web", "{resources: {limits: {memory: 64Mi}}, " + policy + "}");
    String id = id(node.awaitPhase("web", "Running"));

    patch(
        "web",
        "{spec: {containers: [{name: main, image: 'busybox:1', command: [sleep, '1000'], resources: {limits: {memory: 96Mi}}, "
            + policy
            + "}]}}");

    JsonNode status =
        node.await(
            "web", "is restarted", now -> now.at("/containerStatuses/0/restartCount").asInt() == 1);
    assertThat(memory(id(status))).isEqualTo(96L << 20);
    assertThat(id(status)).isNotEqualTo(id);
    awaitEvent("Killing: Container main resize requires restart");
  }

  @Test
  void whatTheNodeCannotGiveIsRefusedOrWaitsForOthersToGo() throws Exception {
    sleeper("other", "{resources: {requests: {memory: 600Mi}}}");
    sleeper("web", "{resources: {requests: {memory: 300Mi}}}");
    node.awaitPhase("other", "Running");
    node.awaitPhase("web", "Running");

    patch("web", withRequest("2Gi"));
    JsonNode refused =
        node.await("web", "is refused", now -> now.path("resize").asText().equals("Infeasible"));
    assertThat(refused.at("/containerStatuses/0/allocatedResources/memory").asText())
        .isEqualTo("300Mi");

    patch("web", withRequest("500Mi"));
    node.await("web", "waits", now -> now.path("resize").asText().equals("Deferred"));

    node.delete("other");
    node.await(
        "web",
        "gets it",
        now ->
            now.at("/containerStatuses/0/resources/requests/memory").asText().equals("500Mi")
                && !now.has("resize"));
  }

  @Test
  void whatOneWaitsForIsNotTakenFromOthers() throws Exception {
    sleeper("other", "{resources: {requests: {memory: 600Mi}}}");
    sleeper("web", "{resources: {requests: {memory: 300Mi}}}");
    node.awaitPhase("other", "Running");
    node.awaitPhase("web", "Running");
    patch("web", withRequest("500Mi"));
    node.await("web", "waits", now -> now.path("resize").asText().equals("Deferred"));

    patch("other", withRequest("610Mi"));
    node.await(
        "other",
        "gets it",
        now -> now.at("/containerStatuses/0/resources/requests/memory").asText().equals("610Mi"));
    sleeper("third", "{resources: {requests: {memory: 50Mi}}}");
    node.awaitPhase("third", "Running");
  }

  private static String withLimit(String memory) {
    return "{spec: {containers: [{name: main, image: 'busybox:1', command: [sleep, '1000'], resources: {limits: {memory: %s}}}]}}"
        .formatted(memory);
  }

  private static String withRequest(String memory) {
    return "{spec: {containers: [{name: main, image: 'busybox:1', command: [sleep, '1000'], resources: {requests: {memory: %s}}}]}}"
        .formatted(memory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Always", "OnFailure", "Never"})
  void anotherImageRestartsTheContainerWhateverThePolicy(String policy) throws Exception {
    List<JsonNode> told = new CopyOnWriteArrayList<>();
    node.api.onRequest(
        request -> {
          if (request.target().endsWith("/status")) {
            told.add(read(new String(request.body(), StandardCharsets.UTF_8)).path("status"));
          }
        });
    node.pod("web", withPolicy(policy));
    String id = id(node.awaitPhase("web", "Running"));

    patch("web", OTHER_IMAGE);

    assertThat(id(awaitOtherImage())).isNotEqualTo(id);
    assertThat(told)
        .as("nothing that the API server takes for final")
        .noneMatch(status -> dev.berth.api.pods.PodPhase.isFinished(status.path("phase").asText()))
        .noneMatch(status -> status.at("/containerStatuses/0/state").has("terminated"))
        .anyMatch(status -> status.at("/containerStatuses/0/lastState").has("terminated"));
    awaitEvent("Killing: Container main definition changed, will be restarted");
  }

  /// Events are written beside the status, by a thread of their own.
  private void awaitEvent(String told) {
    Await.until("users are told", () -> node.events("web").contains(told));
  }

  @Test
  void anotherImageIsStartedAlsoByTheNextAgent() throws Exception {
    node.pod("web", withPolicy("Never"));
    String id = id(node.awaitPhase("web", "Running"));
    node.stopAgent();
    patch("web", OTHER_IMAGE);
    simulator.endContainer(id, 143, "");

    node.start();

    awaitOtherImage();
  }

  private static JsonNode read(String text) {
    try {
      return new YAMLMapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withPolicy(String policy) {
    return "{restartPolicy: %s, terminationGracePeriodSeconds: 1, containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]}"
        .formatted(policy);
  }

  private JsonNode awaitOtherImage() {
    return node.await(
        "web",
        "runs the other image",
        now ->
            now.path("containerStatuses").path(0).path("image").asText().endsWith(":2")
                && now.path("containerStatuses").path(0).path("ready").asBoolean());
  }

  @Test
  void aHookThatFailsEndsItsContainer() throws Exception {
    sleeper(
        "web",
        "{lifecycle: {postStart: {exec: {command: [sh, -c, 'exit 1']}}, preStop: {exec: {command: [sh, -c, 'exit 2']}}}}");

    node.await(
        "web",
        "tells of it",
        now ->
            now.path("containerStatuses")
                .path(0)
                .path("state")
                .path("waiting")
                .path("reason")
                .asText()
                .equals("PostStartHookError"));

    Await.until(
        "it is told that it is stopped as any other, after its other hook",
        () ->
            node.events("web")
                .containsAll(
                    List.of(
                        "FailedPostStartHook: PostStartHook failed",
                        "Killing: FailedPostStartHook",
                        "FailedPreStopHook: PreStopHook failed")));
  }

  @Test
  void aHookOfAPodInTheNodesNetworkAsksAtTheNodesAddress() throws Exception {
    InetAddress address = InetAddress.ofLiteral("127.0.0.2");
    HttpServer server = HttpServer.create(new InetSocketAddress(address, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try (TestNode other = new TestNode(directory.resolve("other")).withAddress("127.0.0.2")) {
      other.service("one");
      other.start();
      other.pod(
          "web",
          """
          {hostNetwork: true, containers: [{name: main, image: 'busybox:1',
            command: [sleep, '1000'], lifecycle: {postStart: {httpGet: {port: %d}}}}]}"""
              .formatted(server.getAddress().getPort()));

      other.awaitPhase("web", "Running");
      assertThat(other.events("web")).noneMatch(event -> event.startsWith("FailedPostStartHook"));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void whileTheApiServerIsAwayPodsGoOnAndTheStatusCatchesUp() throws Exception {
    sleeper("web", "{}");
    String id = id(node.awaitPhase("web", "Running"));

    try (FakeApi.Lift _ = node.api.mute(_ -> true)) {
      node.api.cutWatches();
      simulator.endContainer(id, 3, "");
      Await.until(
          "it runs again",
          () ->
              node.agent()
                      .pods()
                      .getFirst()
                      .getStatus()
                      .getContainerStatuses()
                      .getFirst()
                      .getRestartCount()
                  == 1);
    }

    JsonNode status =
        node.await(
            "web",
            "is told as restarted",
            now -> now.path("containerStatuses").path(0).path("restartCount").asInt() == 1);
    assertThat(
            status
                .path("containerStatuses")
                .path(0)
                .path("lastState")
                .path("terminated")
                .path("exitCode")
                .asInt())
        .isEqualTo(3);
  }

  private void sleeper(String name, String more) throws Exception {
    var container =
        (com.fasterxml.jackson.databind.node.ObjectNode)
            new YAMLMapper().readTree("{name: main, image: 'busybox:1', command: [sleep, '1000']}");
    container.setAll(
        (com.fasterxml.jackson.databind.node.ObjectNode) new YAMLMapper().readTree(more));
    node.pod(name, "{terminationGracePeriodSeconds: 1, containers: [" + container + "]}");
  }

  private void patch(String name, String change) throws Exception {
    // Not closed: that would cut the watches of everybody.
    ApiClient client = new ApiClient(node.api);
    client
        .json(ResourceType.PODS)
        .patch(
            new ObjectKey("default", name), ObjectPatch.merge(new YAMLMapper().readTree(change)));
  }

  private long memory(String id) {
    ContainerResources resources =
        new MachineInventory(simulator.machine()).container(id).status().getResources();
    return resources.getLinux().getMemoryLimitInBytes();
  }

  private static String id(JsonNode status) {
    return status
        .path("containerStatuses")
        .path(0)
        .path("containerID")
        .asText()
        .replaceAll(".*/", "");
  }
}
