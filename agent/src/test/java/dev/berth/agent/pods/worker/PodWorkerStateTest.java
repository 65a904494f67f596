package dev.berth.agent.pods.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.RestartCounts;
import dev.berth.agent.pods.plan.WaitingCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is kept of failures.
final class PodWorkerStateTest {
  private static final PodPart WEB = PodPart.container("web");
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @ParameterizedTest(name = "{0} is shown as {2}, after ten times looked at again in {3}")
  @CsvSource({
    "ErrImagePull, PULL, ImagePullBackOff, PT5M",
    "RegistryUnavailable, PULL, ImagePullBackOff, PT5M",
    "SignatureValidationFailed, PULL, ImagePullBackOff, PT5M",
    "ErrImageNeverPull, LOCAL_IMAGE, ErrImageNeverPull, PT10S",
    "InvalidImageName, LOCAL_IMAGE, InvalidImageName, PT10S",
    "ImageInspectError, LOCAL_IMAGE, ImageInspectError, PT10S",
  })
  void onlyWhoAskedARegistryBacksOff(
      String reason, WaitingCause cause, String shown, Duration wait) {
    var workerState = new PodWorkerState();

    for (int i = 0; i < 10; i++) {
      workerState.ended(
          new PodStep.PullImage("web"), new StepOutcome.Failed(WEB, reason, "no", cause), NOW);
      workerState.backOff("web", "demo:1");
    }

    var containerWaiting = Objects.requireNonNull(workerState.waitingParts().get(WEB));
    assertThat(containerWaiting.reason()).isEqualTo(shown);
    assertThat(containerWaiting.retryAt()).isEqualTo(NOW.plus(wait));
  }

  @Test
  void whileAPullWaitsTheImageIsLookedForEveryTenSeconds() {
    var workerState = new PodWorkerState();
    for (int i = 0; i < 3; i++) {
      workerState.ended(
          new PodStep.PullImage("web"),
          new StepOutcome.Failed(WEB, "ErrImagePull", "no", WaitingCause.PULL),
          NOW);
      workerState.backOff("web", "demo:1");
    }
    assertThat(workerState.waitingParts().get(WEB))
        .isEqualTo(troubleUntil(NOW.plusSeconds(40), NOW.plusSeconds(10)));

    Instant later = NOW.plusSeconds(25);
    workerState.ended(new PodStep.FindImage("web"), new StepOutcome.Done(), later);
    assertThat(workerState.waitingParts().get(WEB))
        .isEqualTo(troubleUntil(NOW.plusSeconds(40), NOW.plusSeconds(35)));

    workerState.ended(
        new PodStep.FindImage("web"),
        new StepOutcome.Pulled("web", ImageDescription.of("demo:1")),
        later);
    assertThat(workerState.waitingParts()).isEmpty();
    assertThat(workerState.images()).containsKey("web");
  }

  @Test
  void theFirstRefusalToRemoveCountsUntilItIsDone() {
    var workerState = new PodWorkerState();
    PodStep remove = new PodStep.RemoveContainer("c-1");
    StepOutcome refused = new StepOutcome.Failed(PodPart.SANDBOX, "Failed", "no");

    workerState.ended(remove, refused, NOW);
    workerState.ended(remove, refused, NOW.plusSeconds(1));

    assertThat(unremovable(workerState)).containsExactly(Map.entry("c-1", NOW));
    assertThat(workerState.heldBack(remove, NOW.plusSeconds(1))).contains(NOW.plusSeconds(3));
    workerState.ended(remove, new StepOutcome.Done(), NOW.plusSeconds(3));
    assertThat(unremovable(workerState)).isEmpty();
  }

  private static Map<String, Instant> unremovable(PodWorkerState workerState) {
    return workerState.memory(Set.of(), Map.of(), RestartCounts.OF_ALL).unremovable();
  }

  private static ContainerWaiting troubleUntil(Instant retryAt, Instant lookAt) {
    return new ContainerWaiting(
        "ImagePullBackOff",
        "Back-off pulling image \"demo:1\": ErrImagePull: no",
        retryAt,
        lookAt,
        WaitingCause.PULL_BACKOFF);
  }
}
