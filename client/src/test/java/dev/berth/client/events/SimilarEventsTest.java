package dev.berth.client.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SimilarEventsTest {
  private final SimilarEvents similar = new SimilarEvents();
  private final InvolvedObject pod =
      InvolvedObject.ofPod(new ObjectKey("default", "web"), "uid-1", "");
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");

  private boolean isOneOfMany(String message) {
    return isOneOfMany(true, "Failed", message);
  }

  private boolean isOneOfMany(boolean isWarning, String reason, String message) {
    return similar.isOneOfMany(
        new EventOccurrence(
            EventSource.of("test"), pod, isWarning, reason, message, now, "suffix"));
  }

  private void tellNine() {
    for (int i = 1; i <= 9; i++) {
      assertThat(isOneOfMany("attempt " + i)).isFalse();
    }
  }

  @Test
  void theTenthOfASortIsOneOfMany() {
    tellNine();

    assertThat(isOneOfMany("attempt 10")).isTrue();
    assertThat(isOneOfMany("attempt 10")).isTrue();
  }

  @Test
  void whatWasToldOnItsOwnStaysSo() {
    tellNine();

    assertThat(isOneOfMany("attempt 3")).isFalse();
  }

  @Test
  void afterAWhileAllIsNewAgain() {
    tellNine();
    now = now.plus(Duration.ofMinutes(11));

    assertThat(isOneOfMany("attempt 10")).isFalse();
  }

  @Test
  void anotherReasonIsAnotherSort() {
    tellNine();

    assertThat(isOneOfMany(true, "BackOff", "attempt 10")).isFalse();
    assertThat(isOneOfMany(false, "Failed", "attempt 10")).isFalse();
  }
}
