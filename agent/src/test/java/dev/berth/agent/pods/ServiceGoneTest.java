package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.bindings.PodBinding;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of pods whose runtime service is not registered any more.
final class ServiceGoneTest {
  private static final String SLEEPER =
      "{terminationGracePeriodSeconds: 1,"
          + " containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";
  private static final String WHY =
      "pod default/web cannot continue: its runtime service \"one\" is no longer registered on this"
          + " node (registered: two). Create the pod again. The node cannot reach containers that the"
          + " removed service may still run";

  @TempDir private Path directory;
  private volatile Duration passed = Duration.ZERO;

  @Test
  void aPodFailsAndSaysWhichServiceIsGone() throws Exception {
    try (TestNode node = moved("web")) {
      JsonNode before = node.status("web");
      assertThat(before.path("phase").asText()).isEqualTo("Running");

      passed = Duration.ofMinutes(1);

      JsonNode status = node.awaitPhase("web", "Failed");
      assertThat(status.path("reason").asText()).isEqualTo("RuntimeServiceGone");
      assertThat(status.path("message").asText()).isEqualTo(WHY);
      assertThat(status.at("/containerStatuses/0/state/terminated/reason").asText())
          .isEqualTo("ContainerStatusUnknown");
      assertThat(PodAgentTest.condition(status, "Ready").path("status").asText())
          .isEqualTo("False");
      assertBoundSaysSo(status);
      Await.until(
          "there is an event", () -> node.events("web").contains("RuntimeServiceGone: " + WHY));

      node.stopAgent();
      node.start();
      node.pod("new", SLEEPER);
      node.awaitPhase("new", "Running");
      assertBoundSaysSo(node.status("web"));
    }
  }

  private static void assertBoundSaysSo(JsonNode status) {
    JsonNode bound = PodAgentTest.condition(status, "RuntimeServiceBound");
    assertThat(bound.path("status").asText()).isEqualTo("False");
    assertThat(bound.path("reason").asText()).isEqualTo("RuntimeServiceGone");
    assertThat(bound.path("message").asText()).isEqualTo(WHY);
  }

  @Test
  void aPodThatIsDeletedGoes() throws Exception {
    try (TestNode node = moved("web")) {
      node.delete("web");
      passed = Duration.ofMinutes(1);

      node.awaitGone("web");
      Await.until("it is released", () -> node.registry().boundPods().isEmpty());
    }
  }

  @Test
  void aStaticPodGoesOnWithAnotherService() throws Exception {
    Path manifests = Files.createDirectory(directory.resolve("manifests"));
    Files.writeString(
        manifests.resolve("web.yaml"),
        "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: %s}".formatted(SLEEPER));
    try (TestNode node = new TestNode(directory).withManifests(manifests).runtimesIn(this::now)) {
      node.create(ResourceType.NODES, "{metadata: {name: node-1}}");
      node.service("one");
      node.start();
      node.awaitPhase("web-node-1", "Running");
      move(node);
      passed = Duration.ofMinutes(1);

      node.await(
          "web-node-1",
          "is with the other service",
          status ->
              PodAgentTest.condition(status, "RuntimeServiceBound")
                  .path("message")
                  .asText()
                  .contains("\"two\""));
    }
  }

  @Test
  void whatNobodyWantsAndNoServiceHasIsReleased() throws Exception {
    try (TestNode node = new TestNode(directory).runtimesIn(this::now)) {
      node.service("one");
      node.start();
      node.registry().bindings().bind(new PodBinding("vanished", "one", ""), () -> true);
      node.stopAgent();
      node.start();

      Await.until(
          "it is released", () -> node.registry().find("vanished") instanceof PodLookup.NotBound);
      assertThat(node.registry().bindings().count("one")).isZero();
    }
  }

  private TestNode moved(String pod) throws Exception {
    TestNode node = new TestNode(directory).runtimesIn(this::now);
    node.service("one");
    node.start();
    node.pod(pod, SLEEPER);
    node.awaitPhase(pod, "Running");
    move(node);
    return node;
  }

  private static void move(TestNode node) throws Exception {
    node.stopAgent();
    node.removeService("one");
    node.service("two");
    node.start();
    Await.until("it is known", () -> node.registry().bindings().hasAnswered("two"));
  }

  private Instant now() {
    return Instant.now().plus(passed);
  }
}
