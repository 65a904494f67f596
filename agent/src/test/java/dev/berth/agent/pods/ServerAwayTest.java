package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.overhead.PodOverheadReader;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.usage.ResourceUsage;
import dev.berth.agent.usage.UsageReader;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The API server does not answer for minutes, which pass in a moment.
final class ServerAwayTest {
  private static final Duration STEP = Duration.ofMillis(250);
  private static final String SLEEPING =
      "{containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";
  private static final String STATIC = "system-" + TestNode.NAME;
  private static final MachineInfo MACHINE =
      new MachineInfo(
          "linux",
          "amd64",
          "",
          "6.1.0",
          "Debian",
          MachineInfo.Ids.UNKNOWN,
          new MachineInfo.Size(4, 8L << 30, 100L << 30, Map.of()));

  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  @TempDir private Path directory;
  private Path manifests;

  @BeforeEach
  void makeDirectory() throws Exception {
    manifests = Files.createDirectories(directory.resolve("manifests"));
  }

  @Test
  void podsGoOnAndTheApiCatchesUp() throws Exception {
    try (TestNode node = new TestNode(directory).in(time).withManifests(manifests)) {
      node.service("one");
      node.start();
      node.api.createNamespace("kube-node-lease");
      try (NodeAgent _ = register(node)) {
        node.create(
            ResourceType.CONFIG_MAPS,
            "{metadata: {name: settings, namespace: default}, data: {COLOR: blue}}");
        createPods(node);
        passUntil("crashing was restarted", () -> restarts(node.status("crashing")) >= 1);
        passUntil("sick was restarted", () -> restarts(node.status("sick")) >= 1);
        passUntil("there is a lease", () -> !renewed(node).isEmpty());
        String steady = containerId(node.status("steady"));

        Instant back = stayAway(node);

        passUntil("restarts are told", () -> restarts(node.status("crashing")) >= 4);
        passUntil("restarts are told", () -> restarts(node.status("sick")) >= 3);
        passUntil("the static pod is shown", () -> phase(node, STATIC).equals("Running"));
        passUntil("the lease is renewed", () -> Instant.parse(renewed(node)).isAfter(back));
        node.pod("late", SLEEPING);
        passUntil("what came later runs", () -> phase(node, "late").equals("Running"));
        assertThat(containerId(node.status("steady"))).isEqualTo(steady);
        assertThat(restarts(node.status("steady"))).isZero();
        assertThat(node.simulator("one").machine().sandboxCount()).isEqualTo(5);
      }
    }
  }

  /// Five minutes.
  ///
  /// @return when they were over
  private Instant stayAway(TestNode node) throws Exception {
    Instant begun = time.instant();
    try (FakeApi.Lift _ = node.api.mute(_ -> true)) {
      node.api.cutWatches();
      Files.writeString(
          manifests.resolve("system.yaml"), "metadata: {name: system}\nspec: " + SLEEPING);
      passUntil(
          "minutes are over", () -> time.instant().isAfter(begun.plus(Duration.ofMinutes(5))));
      passUntil("crashing was restarted", () -> restarts(node, "crashing") >= 4);
      passUntil("sick was restarted", () -> restarts(node, "sick") >= 3);
      passUntil("what old instances left is gone", () -> files(own(node, "crashing")) <= 4);
      passUntil(
          "the static pod runs", () -> "Running".equals(own(node, STATIC).getStatus().getPhase()));
      assertThat(restarts(node.status("crashing"))).isLessThan(restarts(node, "crashing"));
      assertThat(Instant.parse(renewed(node))).isBefore(begun.plusSeconds(20));
      assertThat(node.find(STATIC)).isEmpty();
      return time.instant();
    }
  }

  private static void createPods(TestNode node) {
    node.pod("steady", SLEEPING);
    node.pod(
        "crashing",
        "{containers: [{name: main, image: 'busybox:1', command: ['false'],"
            + " envFrom: [{configMapRef: {name: settings}}]}]}");
    node.pod(
        "sick",
        "{terminationGracePeriodSeconds: 1, containers: [{name: main, image: 'busybox:1',"
            + " command: [sleep, '1000000'], livenessProbe: {exec: {command: ['false']},"
            + " periodSeconds: 5, failureThreshold: 2}}]}");
  }

  private NodeAgent register(TestNode node) throws InterruptedException {
    return NodeAgent.start(
        new NodeAgent.NodeInputs(
            NodeOptions.of(TestNode.NAME, InetAddress.ofLiteral("192.0.2.7")),
            MACHINE,
            node.pressure(),
            node.registry(),
            new PodOverheadReader(
                new UsageReader(TestNode.NAME, node.registry(), () -> ResourceUsage.NONE, time),
                node.registry(),
                List::of),
            0,
            "v1"),
        new NodeAgent.NodeDependencies(
            node.client, time, time, new Random(3), new PrometheusRegistry()));
  }

  private void passUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          time.advance(STEP);
          return condition.getAsBoolean();
        });
  }

  private static String renewed(TestNode node) {
    return node.api
        .find(ResourceType.LEASES, new ObjectKey("kube-node-lease", TestNode.NAME))
        .map(lease -> lease.at("/spec/renewTime").asText())
        .orElse("");
  }

  /// As the agent has it.
  private static Pod own(TestNode node, String name) {
    return node.agent().pods().stream()
        .filter(pod -> pod.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /// Logs and last words.
  private long files(Pod pod) {
    String uid = pod.getMetadata().getUid();
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(Path::toString)
          .filter(file -> file.contains(uid) && file.matches(".*/main/\\d+\\..*"))
          .count();
    } catch (IOException | UncheckedIOException _) {
      return Long.MAX_VALUE; // Something went during the walk.
    }
  }

  private static int restarts(TestNode node, String name) {
    return own(node, name).getStatus().getContainerStatuses().getFirst().getRestartCount();
  }

  private static int restarts(JsonNode status) {
    return status.at("/containerStatuses/0/restartCount").asInt();
  }

  private static String containerId(JsonNode status) {
    return status.at("/containerStatuses/0/containerID").asText();
  }

  private static String phase(TestNode node, String name) {
    return node.status(name).path("phase").asText();
  }
}
