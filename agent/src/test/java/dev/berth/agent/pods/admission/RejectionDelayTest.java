package dev.berth.agent.pods.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// A controller that makes the next pod as soon as one fails.
final class RejectionDelayTest {
  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  private final RejectionDelay pace = new RejectionDelay(AdmissionRules.STANDARD);

  @Test
  void aControllerGetsFewFailuresInHalfAMinute() {
    assertThat(failures(pod("set"), Duration.ofSeconds(30))).isBetween(5, 9);
  }

  @Test
  void theBoundIsEightPodsInTheFirstMinute() {
    assertThat(failures(pod("set"), Duration.ofMinutes(1))).isEqualTo(8);
  }

  @Test
  void inTheLongRunThereIsOneAMinute() {
    int first = failures(pod("set"), Duration.ofMinutes(10));

    assertThat(failures(pod("set"), Duration.ofMinutes(60))).isBetween(55, 61);
    assertThat(first).isLessThan(20);
  }

  @Test
  void othersAreNotDelayedAndAQuietControllerStartsAgain() {
    failures(pod("set"), Duration.ofMinutes(10));

    assertThat(pace.delayed(pod("other"), time.instant())).isEmpty();
    assertThat(pace.delayed(pod("set"), time.instant())).isPresent();
    assertThat(
            pace.delayed(new PodBuilder().withNewMetadata().endMetadata().build(), time.instant()))
        .isEmpty();
    time.advance(Duration.ofMinutes(7));
    assertThat(failures(pod("set"), Duration.ofSeconds(1))).isEqualTo(3);
  }

  private int failures(Pod pod, Duration window) {
    Instant end = time.instant().plus(window);
    int failures = 0;
    while (time.instant().isBefore(end)) {
      failures += pace.delayed(pod, time.instant()).isEmpty() ? 1 : 0;
      time.advance(Duration.ofMillis(100));
    }
    return failures;
  }

  private static Pod pod(String owner) {
    return new PodBuilder()
        .withNewMetadata()
        .addNewOwnerReference()
        .withController(true)
        .withUid(owner)
        .endOwnerReference()
        .endMetadata()
        .build();
  }
}
