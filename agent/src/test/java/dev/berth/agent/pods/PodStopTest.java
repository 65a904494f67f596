package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.plan.DesiredState;
import dev.berth.agent.pods.worker.DesiredStates;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.StreamPod;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What pods get and say while they end.
final class PodStopTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static final String KILLING_MAIN = "Killing: Stopping container main";

  private static final String MAIN =
      "containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]";

  private final ManualTime time = new ManualTime(START);
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"StopPodSandbox", "RemovePodSandbox"})
  void whatKeepsAPodFromGoingIsTold(String call) throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      int failing = node.service("one").knobs().faults().add(failing(call));
      node.start();
      node.pod("web", "{terminationGracePeriodSeconds: 1, " + MAIN + "}");
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      String uid = node.find("web").orElseThrow().at("/metadata/uid").asText();

      node.delete("web");

      passUntil(
          "it is told",
          () ->
              node.events("web")
                  .contains(
                      "FailedKillPod: error killing pod: failed to \"KillPodSandbox\" for \"%s\" with KillPodSandboxError: \"rpc error: code = Internal desc = no such plugin\""
                          .formatted(uid)));
      passUntil(
          "its condition says so",
          () ->
              TestNode.conditionOf(node.status("web"), "TerminationBlocked")
                  .path("status")
                  .asText()
                  .equals("True"));
      String why =
          TestNode.conditionOf(node.status("web"), "TerminationBlocked").path("message").asText();
      assertThat(why)
          .startsWith("the agent cannot stop the pod: " + call + " of ")
          .contains(" has failed at runtime service \"one\" since 2030-01-01T00:0")
          .contains("desc = no such plugin); the agent retries every 10 s. Read the log");
      passUntil("an event, too", () -> node.events("web").contains("FailedKillPod: " + why));
      node.simulator("one").knobs().faults().remove(failing);
      passUntil("it is gone", () -> node.find("web").isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"StopContainer", "StopPodSandbox", "RemovePodSandbox"})
  void whoRefusesAnEndAtOnceIsNotAskedWithoutAPause(String call) throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one").knobs().faults().add(failing(call, new RuleFrequency(0, 6, 1)));
      node.start();
      node.pod("web", "{terminationGracePeriodSeconds: 1, " + MAIN + "}");
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      Instant deleted = time.instant();

      node.delete("web");
      passUntil("it is gone", () -> node.find("web").isEmpty());

      assertThat(Duration.between(deleted, time.instant()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1 + 2 + 4 + 8 + 10 + 10));
    }
  }

  private static FaultRule failing(String call) {
    return failing(call, RuleFrequency.ALWAYS);
  }

  private static FaultRule failing(String call, RuleFrequency dose) {
    return new FaultRule(
        new GlobPattern(call),
        FaultRule.Subject.ANYTHING,
        Duration.ZERO,
        Duration.ZERO,
        Optional.of(new FaultRule.Failure(Status.Code.INTERNAL, "no such plugin")),
        false,
        dose);
  }

  @Test
  void aPodThatIsNotReadyDoesNotBecomeReadyBecauseItEnds() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (TestNode node = new TestNode(directory).in(time)) {
      int hanging = node.service("one").knobs().faults().add(PodLifeTest.hang("StopContainer"));
      node.api.onRequest(
          request -> {
            if (request.target().endsWith("/status")) {
              told.add(new String(request.body(), StandardCharsets.UTF_8));
            }
          });
      node.start();
      node.pod(
          "web",
          "{terminationGracePeriodSeconds: 1, containers: [{name: main, image: 'busybox:1',"
              + " command: [sleep, '1000000'], readinessProbe: {exec: {command: ['false']}}}]}");
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      assertThat(PodAgentTest.condition(node.status("web"), "Ready").path("status").asText())
          .isEqualTo("False");

      node.delete("web");
      passUntil("it is being stopped", () -> node.events("web").contains(KILLING_MAIN));
      node.simulator("one").knobs().faults().remove(hanging);
      passUntil("it is gone", () -> node.find("web").isEmpty());

      assertThat(told).isNotEmpty().noneMatch(patch -> patch.contains("\"ready\":true"));
    }
  }

  @Test
  void aPodThatTheApiLetGoTakesNoRoom() throws Exception {
    String large =
        "{containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000'],"
            + " resources: {requests: {memory: 900Mi}}}]}";
    try (TestNode node = new TestNode(directory)) {
      int hanging = node.service("one").knobs().faults().add(PodLifeTest.hang("StopContainer"));
      node.start();
      node.pod("web", large);
      node.awaitPhase("web", "Running");
      node.pod("other", large);
      assertThat(node.awaitPhase("other", "Failed").path("reason").asText())
          .isEqualTo("OutOfmemory");

      node.client
          .json(ResourceType.PODS)
          .delete(new ObjectKey("default", "web"), DeleteOptions.DEFAULT.withGracePeriod(0));
      node.pod("next", large);

      node.awaitPhase("next", "Running");
      node.simulator("one").knobs().faults().remove(hanging);
    }
  }

  @Test
  void probesBeginWhenTheHookHasEnded() throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one");
      node.start();
      node.pod(
          "web",
          "{terminationGracePeriodSeconds: 1, containers: [{name: main, image: 'busybox:1',"
              + " command: [sleep, '1000000'], lifecycle: {postStart: {sleep: {seconds: 20}}},"
              + " livenessProbe: {exec: {command: ['false']}, periodSeconds: 1,"
              + " failureThreshold: 1}}]}");

      passUntil("it is killed", () -> !times(node, "Killing").isEmpty());

      Instant started = times(node, "Started").getFirst();
      assertThat(times(node, "Unhealthy").getFirst()).isAfterOrEqualTo(started.plusSeconds(20));
      assertThat(times(node, "Killing").getFirst()).isAfterOrEqualTo(started.plusSeconds(20));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep: {seconds: 5000}", "exec: {command: [sleep, '5000']}"})
  void aShorterGraceEndsAHookThatIsUnderWay(String hook) throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one").knobs().faults().add(PodLifeTest.hang("ExecSync"));
      node.start();
      node.pod(
          "web",
          "{terminationGracePeriodSeconds: 10000, containers: [{name: main, image: 'busybox:1',"
              + " command: [sleep, '1000000'], lifecycle: {preStop: {%s}}}]}".formatted(hook));
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      node.delete("web");
      passUntil("it ends", () -> node.events("web").contains(KILLING_MAIN));

      delete(node, "web", 1);

      passUntil("it is gone", Duration.ofSeconds(100), () -> node.find("web").isEmpty());
    }
  }

  @Test
  void theHooksOfSidecarsWaitForNobody() throws Exception {
    try (TestNode node = new TestNode(directory).in(time)) {
      node.service("one");
      node.start();
      node.pod(
          "web",
          "{terminationGracePeriodSeconds: 10000,"
              + " initContainers: [{name: side, image: 'busybox:1', restartPolicy: Always,"
              + " command: [sleep, '1000000'],"
              + " lifecycle: {preStop: {exec: {command: [sh, -c, 'exit 3']}}}}],"
              + " containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000'],"
              + " lifecycle: {preStop: {sleep: {seconds: 5000}}}}]}");
      passUntil("it runs", () -> node.status("web").path("phase").asText().equals("Running"));
      node.delete("web");

      passUntil(
          "both hooks are begun",
          Duration.ofSeconds(100),
          () ->
              node.events("web")
                  .containsAll(
                      List.of(
                          KILLING_MAIN,
                          "Killing: Stopping container side",
                          "FailedPreStopHook: PreStopHook failed")));

      assertThat(node.status("web").at("/initContainerStatuses/0/state").has("running")).isTrue();
      assertThat(node.status("web").at("/containerStatuses/0/state").has("running")).isTrue();
      delete(node, "web", 1);
      passUntil("it is gone", Duration.ofSeconds(100), () -> node.find("web").isEmpty());
    }
  }

  @Test
  void whoLooksForAPodFindsTheOneThatHasItsNameNow() throws Exception {
    String spec = "{containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";
    try (TestNode node = new TestNode(directory)) {
      int hanging = node.service("one").knobs().faults().add(PodLifeTest.hang("StopContainer"));
      node.start();
      // Several, because which of them would be found by chance is not known.
      for (int i = 0; i < 6; i++) {
        node.pod("web", spec);
        node.awaitPhase("web", "Running");
        delete(node, "web", 0);
      }
      node.pod("web", spec);
      String id = node.awaitPhase("web", "Running").at("/containerStatuses/0/containerID").asText();

      assertThat(node.agent().find(StreamPod.of("default", "web"), "main"))
          .isInstanceOfSatisfying(
              ContainerLocation.Found.class, found -> assertThat(id).endsWith(found.containerId()));
      node.simulator("one").knobs().faults().remove(hanging);
    }
  }

  private static void delete(TestNode node, String name, int grace) {
    node.client
        .json(ResourceType.PODS)
        .delete(new ObjectKey("default", name), DeleteOptions.DEFAULT.withGracePeriod(grace));
  }

  private static List<Instant> times(TestNode node, String reason) {
    return node.api.list(ResourceType.EVENTS).stream()
        .filter(event -> event.path("reason").asText().equals(reason))
        .map(event -> Instant.parse(event.path("firstTimestamp").asText()))
        .toList();
  }

  @Test
  void allContainersShareTheTimeThatTheirPodHas() {
    DesiredStates desiredStates = new DesiredStates();
    Pod pod = ending(30);
    DesiredState first = desiredStates.of(pod, false, false, null, START);
    DesiredState later = desiredStates.of(pod, false, false, null, START.plusSeconds(20));

    assertThat(later).isEqualTo(first);
    assertThat(((DesiredState.Stop) later).grace().left(START.plusSeconds(20)))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(((DesiredState.Stop) later).grace().left(START.plusSeconds(40)))
        .as("the least that every container gets")
        .isEqualTo(Duration.ofSeconds(2));
    DesiredState shorter = desiredStates.of(ending(5), false, false, null, START.plusSeconds(20));
    assertThat(((DesiredState.Stop) shorter).grace().left(START.plusSeconds(20)))
        .as("begins again")
        .isEqualTo(Duration.ofSeconds(5));
  }

  private void passUntil(String what, BooleanSupplier condition) {
    passUntil(what, Duration.ofDays(1), condition);
  }

  /// @param atMost so much time passes; then it must come without
  private void passUntil(String what, Duration atMost, BooleanSupplier condition) {
    Instant end = time.instant().plus(atMost);
    Await.until(
        what,
        () -> {
          time.advance(time.instant().isBefore(end) ? Duration.ofMillis(250) : Duration.ZERO);
          return condition.getAsBoolean();
        });
  }

  private static Pod ending(long grace) {
    return new PodBuilder()
        .withNewMetadata()
        .withDeletionTimestamp("2030-01-01T00:00:30Z")
        .withDeletionGracePeriodSeconds(grace)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }
}
