package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pods that ask for what nobody thought of.
final class StrangePodsTest {
  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  private final Queue<Instant> tries = new ConcurrentLinkedQueue<>();
  @TempDir private Path directory;

  @Test
  void whatTheAgentCannotDoIsToldAndTriedLater() throws Exception {
    try (TestNode node = new TestNode(directory).in(time).with(new NoSuchPath())) {
      node.service("one");
      node.start();
      node.pod("web", "{containers: [{name: main, image: 'busybox:1'}]}");

      Await.until(
          "it was tried some times",
          () -> {
            time.advance(Duration.ofMillis(250));
            return tries.size() > 5;
          });

      assertThat(Duration.between(tries.peek(), time.instant()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1 + 2 + 4 + 8 + 10));
      JsonNode waiting = node.status("web").at("/containerStatuses/0/state/waiting");
      assertThat(waiting.path("reason").asText()).isEqualTo("CreateContainerError");
      assertThat(waiting.path("message").asText())
          .isEqualTo(
              "internal error of the agent, see its log: java.nio.file.InvalidPathException: Nul"
                  + " character not allowed: a?b");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{virtualMachine: {name: vm, image: debian}} | asks for a virtual machine",
        "{virtualMachine: {name: vm, image: debian}, containers: null} | asks for a virtual machine",
        "{virtualMachine: {name: vm, image: debian}, containers: []} | asks for a virtual machine",
        "{restartPolicy: Never, containers: []} | spec.containers is empty",
        "{resourceClaims: [{name: gpu}], containers: [{name: c, image: i}]} | asks for devices (gpu)"
      })
  void whatTheAgentDoesNotProvideStaysPendingAndSaysWhy(String spec, String why) throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      node.pod("strange", spec);
      node.pod("web", "{containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]}");

      JsonNode status =
          node.await(
              "strange", "says why", one -> bound(one).path("message").asText().contains(why));
      assertThat(status.path("phase").asText()).isEqualTo("Pending");
      assertThat(bound(status).path("status").asText()).isEqualTo("False");
      node.awaitPhase("web", "Running");
      assertThat(node.simulator("one").machine().sandboxCount()).isEqualTo(1);
      Await.until(
          "it is told",
          () ->
              node.events("strange").stream()
                  .anyMatch(
                      one -> one.startsWith("FailedCreatePodSandBox: ") && one.contains(why)));

      node.delete("strange");

      node.awaitGone("strange");
    }
  }

  private static JsonNode bound(JsonNode status) {
    return TestNode.conditionOf(status, "RuntimeServiceBound");
  }

  @Test
  void onePodThatCannotBeMeasuredKeepsNoOtherFromIt() throws Exception {
    try (TestNode node = new TestNode(directory).with(new Unmeasurable()).hurried()) {
      node.service("one");
      node.start();
      // A simulated container writes 20 KiB.
      for (String name : List.of("broken", "greedy")) {
        node.pod(
            name,
            "{containers: [{name: main, image: 'busybox:1', command: [sleep, '1000'],"
                + " resources: {limits: {ephemeral-storage: 10Ki}}}]}");
      }

      assertThat(node.awaitPhase("greedy", "Failed").path("reason").asText()).isEqualTo("Evicted");
      assertThat(node.status("broken").path("phase").asText()).isEqualTo("Running");
      Await.until("storage of the other is known", () -> !node.agent().storage().isEmpty());
    }
  }

  private static final class Unmeasurable implements PodVolumes {
    @Override
    public void prepare(Pod pod) {}

    @Override
    public List<VolumeMounting> mounts(Pod pod, Container container) {
      return List.of();
    }

    @Override
    public Optional<String> excess(Pod pod) {
      refuse(pod);
      return Optional.empty();
    }

    @Override
    public DiskUsage used(Pod pod) {
      refuse(pod);
      return DiskUsage.NONE;
    }

    @Override
    public List<VolumeLocation> places(Pod pod) {
      refuse(pod);
      return List.of();
    }

    private static void refuse(Pod pod) {
      if (pod.getMetadata().getName().equals("broken")) {
        throw new IllegalStateException("nobody thought of this");
      }
    }

    @Override
    public void remove(Pod pod) {}
  }

  @Test
  void longWordsOfARuntimeAreCut() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one")
          .knobs()
          .faults()
          .add(
              new FaultRule(
                  new GlobPattern("CreateContainer"),
                  FaultRule.Subject.ANYTHING,
                  Duration.ZERO,
                  Duration.ZERO,
                  Optional.of(new FaultRule.Failure(Status.Code.INTERNAL, "\u20ac".repeat(5_000))),
                  false,
                  RuleFrequency.ALWAYS));
      node.start();
      node.pod("web", "{containers: [{name: main, image: 'busybox:1'}]}");

      JsonNode status =
          node.await(
              "web",
              "waits",
              one ->
                  one.at("/containerStatuses/0/state/waiting/message").asText().contains("\u20ac"));
      assertThat(
              status
                  .at("/containerStatuses/0/state/waiting/message")
                  .asText()
                  .getBytes(StandardCharsets.UTF_8)
                  .length)
          .isLessThanOrEqualTo(4096);
      Await.until(
          "there is an event",
          () -> node.events("web").stream().anyMatch(one -> one.contains("\u20ac...")));
      assertThat(node.api.list(ResourceType.EVENTS))
          .allSatisfy(
              event ->
                  assertThat(event.path("message").asText().getBytes(StandardCharsets.UTF_8).length)
                      .isLessThanOrEqualTo(1024));
    }
  }

  private final class NoSuchPath implements PodVolumes {
    @Override
    public void prepare(Pod pod) {}

    @Override
    public List<VolumeMounting> mounts(Pod pod, Container container) {
      tries.add(time.instant());
      throw new InvalidPathException("a?b", "Nul character not allowed");
    }

    @Override
    public void remove(Pod pod) {}
  }
}
