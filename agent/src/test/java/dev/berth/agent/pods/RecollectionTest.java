package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.ImageFacts;
import dev.berth.agent.pods.act.Outcome;
import dev.berth.agent.pods.plan.Step;
import dev.berth.agent.pods.plan.Successors;
import dev.berth.agent.pods.plan.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is kept of failures.
final class RecollectionTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @ParameterizedTest(name = "{0} is shown as {1}, after ten times looked at again in {2}")
  @CsvSource({
    "ErrImagePull, ImagePullBackOff, PT5M",
    "RegistryUnavailable, ImagePullBackOff, PT5M",
    "SignatureValidationFailed, ImagePullBackOff, PT5M",
    "ErrImageNeverPull, ErrImageNeverPull, PT10S",
    "InvalidImageName, InvalidImageName, PT10S",
    "ImageInspectError, ImageInspectError, PT10S",
  })
  void onlyWhoAskedARegistryBacksOff(String reason, String shown, Duration wait) {
    var recollection = new Recollection();

    for (int i = 0; i < 10; i++) {
      recollection.ended(
          new Step.PullImage("web"), new Outcome.Failed("web", reason, "no", true), NOW);
      recollection.backOff("web", "demo:1");
    }

    var trouble = Objects.requireNonNull(recollection.troubles().get("web"));
    assertThat(trouble.reason()).isEqualTo(shown);
    assertThat(trouble.retryAt()).isEqualTo(NOW.plus(wait));
  }

  @Test
  void whileAPullWaitsTheImageIsLookedForEveryTenSeconds() {
    var recollection = new Recollection();
    for (int i = 0; i < 3; i++) {
      recollection.ended(
          new Step.PullImage("web"), new Outcome.Failed("web", "ErrImagePull", "no", true), NOW);
      recollection.backOff("web", "demo:1");
    }
    assertThat(recollection.troubles().get("web"))
        .isEqualTo(troubleUntil(NOW.plusSeconds(40), NOW.plusSeconds(10)));

    Instant later = NOW.plusSeconds(25);
    recollection.ended(new Step.FindImage("web"), new Outcome.Done(), later);
    assertThat(recollection.troubles().get("web"))
        .isEqualTo(troubleUntil(NOW.plusSeconds(40), NOW.plusSeconds(35)));

    recollection.ended(
        new Step.FindImage("web"), new Outcome.Pulled("web", ImageFacts.of("demo:1")), later);
    assertThat(recollection.troubles()).isEmpty();
    assertThat(recollection.images()).containsKey("web");
  }

  @Test
  void theFirstRefusalToRemoveCountsUntilItIsDone() {
    var recollection = new Recollection();
    Step remove = new Step.RemoveContainer("c-1");
    Outcome refused = new Outcome.Failed("", "Failed", "no", false);

    recollection.ended(remove, refused, NOW);
    recollection.ended(remove, refused, NOW.plusSeconds(1));

    assertThat(unremovable(recollection)).containsExactly(Map.entry("c-1", NOW));
    assertThat(recollection.heldBack(remove, NOW.plusSeconds(1))).contains(NOW.plusSeconds(3));
    recollection.ended(remove, new Outcome.Done(), NOW.plusSeconds(3));
    assertThat(unremovable(recollection)).isEmpty();
  }

  private static Map<String, Instant> unremovable(Recollection recollection) {
    return recollection.memory(Set.of(), Map.of(), Successors.OF_ALL).unremovable();
  }

  private static Trouble troubleUntil(Instant retryAt, Instant lookAt) {
    return new Trouble(
        "ImagePullBackOff", "Back-off pulling image \"demo:1\": ErrImagePull: no", retryAt, lookAt);
  }
}
