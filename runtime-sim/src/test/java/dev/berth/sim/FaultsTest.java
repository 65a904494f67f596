package dev.berth.sim;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriException;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.knobs.ExitRule;
import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRule.Failure;
import dev.berth.sim.knobs.FaultRule.Subject;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import dev.berth.sim.knobs.SimCondition;
import dev.berth.sim.profile.SimHandler;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FaultsTest {
  private final TestService service = new TestService("linux/amd64");

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aFailureComesAfterSoManyCallsAndSoOften() {
    service.simulator().knobs().faults().add(failing("Version", new RuleFrequency(1, 2, 1)));

    service.runtime().version();
    assertThatThrownBy(() -> service.runtime().version())
        .isInstanceOf(CriException.class)
        .hasMessageContaining("INTERNAL: broken");
    assertThatThrownBy(() -> service.runtime().version()).hasMessageContaining("broken");
    service.runtime().version();
    service.runtime().status(false);
  }

  @Test
  void aFailureMayBeAMatterOfChance() {
    service.simulator().knobs().faults().add(failing("*", new RuleFrequency(0, 0, 0.5)));
    int failed = 0;
    for (int i = 0; i < 200; i++) {
      try {
        service.runtime().version();
      } catch (CriException e) {
        failed++;
      }
    }
    assertThat(failed).isBetween(60, 140);
  }

  @Test
  void aFailureMayBeAboutOneHandlerOrImage() {
    Subject subject =
        new Subject(
            GlobPattern.ANYTHING,
            new GlobPattern("*/broken:*"),
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING,
            GlobPattern.ANYTHING);
    service
        .simulator()
        .knobs()
        .faults()
        .add(
            new FaultRule(
                new GlobPattern("PullImage"),
                subject,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(new Failure(Status.Code.UNAVAILABLE, "RegistryUnavailable: no route")),
                false,
                RuleFrequency.ALWAYS));

    service.pull("example.com/good:1", "");
    assertThatThrownBy(() -> service.pull("example.com/broken:1", ""))
        .hasMessageContaining("RegistryUnavailable: no route");
  }

  @Test
  void aSlowCallAnswersWhenItsTimeIsOver() {
    service
        .simulator()
        .knobs()
        .faults()
        .add(
            new FaultRule(
                new GlobPattern("Version"),
                Subject.ANYTHING,
                Duration.ofSeconds(3),
                Duration.ZERO,
                Optional.empty(),
                false,
                RuleFrequency.ALWAYS));
    CompletableFuture<?> answer = CompletableFuture.supplyAsync(service.runtime()::version);
    Await.until("the call waits", () -> service.time.waiting() == 1);
    service.runtime().status(false);
    assertThat(answer).isNotDone();

    service.time.advance(Duration.ofSeconds(3));

    assertThat(answer.join()).isNotNull();
  }

  @Test
  void aHungCallGoesOnWhenTheRuleIsRemoved() {
    int rule =
        service
            .simulator()
            .knobs()
            .faults()
            .add(
                new FaultRule(
                    new GlobPattern("Version"),
                    Subject.ANYTHING,
                    Duration.ZERO,
                    Duration.ZERO,
                    Optional.empty(),
                    true,
                    RuleFrequency.ALWAYS));
    CompletableFuture<?> answer = CompletableFuture.supplyAsync(service.runtime()::version);
    Await.until(
        "the call hangs",
        () -> service.simulator().knobs().faults().list().getFirst().acted() == 1);
    assertThat(answer).isNotDone();

    service.simulator().knobs().faults().remove(rule);

    assertThat(answer.join()).isNotNull();
  }

  @Test
  void aCrashCutsCallsOffAndPodsAreFoundAgain() {
    String sandbox = service.runtime().runPodSandbox(pod("a"), "");

    service.simulator().crash();
    assertThatThrownBy(() -> service.runtime().version())
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnavailable()).isTrue());
    service.simulator().serve();
    service.connection().connect();

    assertThat(sandboxes()).containsExactly(sandbox);
    service.simulator().restart(false);
    service.connection().connect();
    assertThat(sandboxes()).isEmpty();
    service.runtime().runPodSandbox(pod("a"), "");
  }

  private List<String> sandboxes() {
    Await.until(
        "it answers again",
        () -> {
          try {
            service.runtime().version();
            return true;
          } catch (CriException e) {
            return false;
          }
        });
    return service.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()).stream()
        .map(pod -> pod.getId())
        .toList();
  }

  @Test
  void containersEndAsARuleOrAnAnnotationSays() {
    service
        .simulator()
        .knobs()
        .exits()
        .add(
            new ExitRule(
                GlobPattern.ANYTHING,
                GlobPattern.ANYTHING,
                new GlobPattern("flaky*"),
                GlobPattern.ANYTHING,
                new Exit(Duration.ofSeconds(5), 137, "OOMKilled"),
                new RuleFrequency(0, 1, 1)));
    String first = service.start(pod("a"), container("flaky", "nginx"));
    String second = service.start(pod("b"), container("flaky", "nginx"));
    String third =
        service.start(
            pod("c").toBuilder()
                .putAnnotations("sim.berth.dev/exit-after", "1s")
                .putAnnotations("sim.berth.dev/exit-code", "4")
                .build(),
            container("main", "nginx"));

    service.time.advance(Duration.ofSeconds(5));

    assertThat(service.status(first).getReason()).isEqualTo("OOMKilled");
    assertThat(service.status(first).getExitCode()).isEqualTo(137);
    assertThat(service.status(second).getFinishedAt()).isZero();
    assertThat(service.status(third).getExitCode()).isEqualTo(4);
    assertThat(service.simulator().endContainer(second, 9, "")).isTrue();
    assertThat(service.status(second).getExitCode()).isEqualTo(9);
  }

  @Test
  void aPullTakesAsLongAsTheBytesDo() {
    service.simulator().knobs().pulls(new PullSpeed(Duration.ofSeconds(1), 1024 * 1024));
    CompletableFuture<?> pull =
        CompletableFuture.runAsync(() -> service.pull("example.com/large:1", ""));
    Await.until("the pull waits", () -> service.time.waiting() == 1);
    ImageSpec image = ImageSpec.newBuilder().setImage("example.com/large:1").build();

    service.time.advance(Duration.ofMillis(10_999));
    assertThat(service.images().imageStatus(image, false).hasImage()).isFalse();
    service.time.advance(Duration.ofMillis(1));

    pull.join();
    assertThat(service.images().imageStatus(image, false).hasImage()).isTrue();
  }

  @Test
  void handlersChangeWhilePodsRun() {
    service.runtime().runPodSandbox(pod("a"), "runc");
    service
        .simulator()
        .setHandlers(List.of(new SimHandler("kata", true, "kata", Map.of(), false, true)));

    assertThat(service.runtime().status(false).getRuntimeHandlersList())
        .extracting(RuntimeHandler::getName)
        .containsExactly("", "kata");
    assertThatThrownBy(() -> service.runtime().runPodSandbox(pod("b"), "runc"))
        .hasMessageContaining(
            "UNKNOWN: failed to get sandbox runtime: no runtime for \"runc\" is configured");
    service.runtime().runPodSandbox(pod("b"), "kata");
  }

  @Test
  void aNetworkThatIsNotReadyIsSaidAndFelt() {
    service
        .simulator()
        .knobs()
        .network(new SimCondition(false, "NetworkPluginNotReady", "cni plugin not initialized"));

    assertThat(service.runtime().status(false).getStatus().getConditions(1).getReason())
        .isEqualTo("NetworkPluginNotReady");
    assertThatThrownBy(() -> service.runtime().runPodSandbox(pod("a"), ""))
        .hasMessageContaining("cni plugin not initialized");
  }

  private static FaultRule failing(String call, RuleFrequency frequency) {
    return new FaultRule(
        new GlobPattern(call),
        Subject.ANYTHING,
        Duration.ZERO,
        Duration.ZERO,
        Optional.of(new Failure(Status.Code.INTERNAL, "broken")),
        false,
        frequency);
  }
}
