package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Later;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.worker.ServiceWait;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.ContainerLocation.Found;
import dev.berth.agent.streams.StreamPod;
import dev.berth.api.Problem;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is told of pods whose runtime service does not answer.
final class RuntimeAwayTest {
  private static final String SLEEPER =
      "{terminationGracePeriodSeconds: 1,"
          + " containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";

  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  @TempDir private Path directory;

  @Test
  void aNewPodSaysWhatItWaitsFor() throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one").crash();
      node.start();
      node.pod("web", SLEEPER);

      passUntil("it says so", () -> node.status("web").has("conditions"));
      JsonNode bound = PodAgentTest.condition(node.status("web"), "RuntimeServiceBound");
      assertThat(bound.path("status").asText()).isEqualTo("False");
      assertThat(bound.path("reason").asText()).isEqualTo("Waiting");
      assertThat(bound.path("message").asText())
          .startsWith("pod default/web waits: runtime service \"one\" ");
      Await.until(
          "there is an event",
          () ->
              node.events("web").stream()
                  .anyMatch(one -> one.startsWith("FailedCreatePodSandBox: Failed to create pod")));

      node.simulator("one").serve();
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      assertThat(
              PodAgentTest.condition(node.status("web"), "RuntimeServiceBound")
                  .path("status")
                  .asText())
          .isEqualTo("True");
    }
  }

  @Test
  void aPodThatMayRunIsNotFailedBecauseItCouldNotBeStartedNow() throws Exception {
    try (TestNode node = new TestNode(directory).with(UnresolvedPolicy.FAIL)) {
      node.service("one");
      node.create(ResourceType.RUNTIME_CLASSES, "{metadata: {name: usual}, handler: ''}");
      node.start();
      node.pod("web", "{runtimeClassName: usual, " + SLEEPER.substring(1));
      JsonNode before = node.awaitPhase("web", "Running");

      node.stopAgent();
      node.simulator("one").crash();
      VolumeTrees.delete(directory.resolve("runtimes"));
      node.api.delete(ResourceType.RUNTIME_CLASSES, new ObjectKey("", "usual"), "");
      node.start();

      Await.until(
          "its log is there",
          () ->
              node.agent().find(StreamPod.of("default", "web"), "main")
                  instanceof ContainerLocation.OutOfReach);
      assertThat(node.agent().find(StreamPod.of("default", "web"), ""))
          .isInstanceOfSatisfying(
              ContainerLocation.OutOfReach.class,
              sandbox ->
                  assertThat(sandbox.why())
                      .startsWith("pod \"web\" cannot be reached: ")
                      .contains("have not answered yet: one. Start these runtime services"));
      node.simulator("one").serve();
      Await.until(
          "it is found again",
          () ->
              node.agent().find(StreamPod.of("default", "web"), "main")
                  instanceof ContainerLocation.Found);
      assertThat(node.status("web")).isEqualTo(before);
    }
  }

  @Test
  void whoeverWantsStreamsIsToldWhichServiceIsSilent() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      node.pod("web", SLEEPER);
      node.awaitPhase("web", "Running");
      StreamPod web = StreamPod.of("default", "web");
      Await.until(
          "it is worth asking",
          () -> node.agent().find(web, "") instanceof Found found && found.silence().isEmpty());

      node.simulator("one").knobs().faults().add(PodLifeTest.hang("*"));
      Await.until(
          "it is known to hang",
          () ->
              !(node.agent().find(web, "main") instanceof Found found)
                  || found.silence().isPresent());
      assertThat(why(node.agent().find(web, "main")))
          .contains("runtime service one is not ready: ");
      assertThat(why(node.agent().find(web, ""))).contains("runtime service one is not ready: ");
    }
  }

  private static String why(ContainerLocation place) {
    return switch (place) {
      case Found found -> found.silence().orElse("");
      case ContainerLocation.OutOfReach(_, _, String why) -> why;
      case ContainerLocation.NotStarted(String why) -> why;
      case ContainerLocation.NotFound(String why) -> why;
    };
  }

  @Test
  void aPodThatWasBoundSaysNothingNew() throws Exception {
    Instant now = time.instant();
    Later later = new Later(new Problem("pod web waits", "nobody knows", ""), Duration.ZERO, true);
    String status = "{\"conditions\": [{\"type\": \"RuntimeServiceBound\", \"status\": \"%s\"}]}";
    JsonMapper json = new JsonMapper();

    assertThat(new ServiceWait().words(later, json.readTree(status.formatted("True")), now))
        .isEmpty();
    assertThat(new ServiceWait().words(later, json.readTree(status.formatted("False")), now))
        .isEqualTo("pod web waits: nobody knows");
  }

  private void passUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          time.advance(Duration.ofMillis(250));
          return condition.getAsBoolean();
        });
  }
}
