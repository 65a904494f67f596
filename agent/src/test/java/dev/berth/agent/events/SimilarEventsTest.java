package dev.berth.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SimilarEventsTest {
  private final SimilarEvents similar = new SimilarEvents();
  private final ObjectNode pod = JsonNodeFactory.instance.objectNode().put("name", "web");
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");

  private boolean isOneOfMany(String message) {
    return similar.isOneOfMany(pod, true, "Failed", message, now);
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

    assertThat(similar.isOneOfMany(pod, true, "BackOff", "attempt 10", now)).isFalse();
    assertThat(similar.isOneOfMany(pod, false, "Failed", "attempt 10", now)).isFalse();
  }
}
