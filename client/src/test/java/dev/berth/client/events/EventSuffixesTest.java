package dev.berth.client.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class EventSuffixesTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final EventSuffixes suffixes = new EventSuffixes(time);

  @Test
  void theyAreTheTimeInNanoseconds() {
    assertThat(suffixes.next()).isEqualTo("18867251edfa0000");
  }

  @Test
  void whatHappensAtTheSameMomentIsStillInOrder() {
    String first = suffixes.next();
    String second = suffixes.next();
    time.advance(Duration.ofMillis(1));
    String third = suffixes.next();

    assertThat(first).isLessThan(second);
    assertThat(second).isLessThan(third);
  }
}
