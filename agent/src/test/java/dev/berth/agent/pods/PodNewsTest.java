package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRule.Failure;
import dev.berth.sim.knobs.FaultRule.Subject;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What users are told of their pods by events.
final class PodNewsTest {
  private static final String MAIN =
      "containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]";

  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  @TempDir private Path directory;

  @Test
  void aPodThatRanForTooLongIsToldOnce() throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one");
      node.start();
      node.pod("web", "{activeDeadlineSeconds: 5, terminationGracePeriodSeconds: 1, " + MAIN + "}");

      passUntil("it failed", () -> node.status("web").path("phase").asText().equals("Failed"));
      passUntil("it is told", () -> event(node, "DeadlineExceeded").isPresent());

      JsonNode told = event(node, "DeadlineExceeded").orElseThrow();
      assertThat(told.path("type").asText()).isEqualTo("Normal");
      assertThat(told.path("message").asText())
          .isEqualTo("Pod was active on the node longer than the specified deadline");
      assertThat(told.path("count").asInt()).isEqualTo(1);
    }
  }

  @Test
  void everyAttemptToFindAClassIsCounted() throws Exception {
    try (TestNode node = new TestNode(directory).in(time).with(UnresolvedPolicy.RETRY)) {
      node.service("one");
      node.start();
      node.pod("web", "{runtimeClassName: late, " + MAIN + "}");

      passUntil("it was tried three times", () -> counted(node, "FailedCreatePodSandBox") >= 3);

      JsonNode told = event(node, "FailedCreatePodSandBox").orElseThrow();
      Duration passed =
          Duration.between(
              Instant.parse(told.path("firstTimestamp").asText()),
              Instant.parse(told.path("lastTimestamp").asText()));
      // Whole seconds are told, so that one may be missing.
      assertThat(passed.toSeconds() + 1)
          .isGreaterThanOrEqualTo(10L * (told.path("count").asInt() - 1));
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"CreateContainer, CreateContainerError", "StartContainer, RunContainerError"})
  void aContainerThatCannotStartHasTheWordsOfTheRuntime(String call, String reason)
      throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one")
          .knobs()
          .faults()
          .add(
              new FaultRule(
                  new GlobPattern(call),
                  Subject.ANYTHING,
                  Duration.ZERO,
                  Duration.ZERO,
                  Optional.of(new Failure(Status.Code.UNKNOWN, "no such file: /nope")),
                  false,
                  RuleFrequency.ALWAYS));
      node.start();
      node.pod("web", "{" + MAIN + "}");

      JsonNode status =
          node.await(
              "web",
              "waits with " + reason,
              now -> now.at("/containerStatuses/0/state/waiting/reason").asText().equals(reason));

      assertThat(status.at("/containerStatuses/0/state/waiting/message").asText())
          .isEqualTo("no such file: /nope");
      Await.until(
          "users are told",
          () -> node.events("web").contains("Failed: Error: no such file: /nope"));
    }
  }

  private static int counted(TestNode node, String reason) {
    return event(node, reason).map(one -> one.path("count").asInt()).orElse(0);
  }

  /// The one that was told most often: at first something else may have been in the way.
  private static Optional<? extends JsonNode> event(TestNode node, String reason) {
    return node.api.list(ResourceType.EVENTS).stream()
        .filter(event -> event.path("reason").asText().equals(reason))
        .max(Comparator.comparingInt(event -> event.path("count").asInt()));
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
