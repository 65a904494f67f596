package dev.berth.agent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CpuRatesTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final CpuRates rates = new CpuRates();

  @Test
  void aRateIsWhatWasAddedPerSecond() {
    assertThat(rates.isBlank(START)).isTrue();
    rates.begin(START, Map.of("a", 1_000L, "again", 500L));
    assertThat(rates.isBlank(START)).isFalse();

    assertThat(rates.of(START.plusSeconds(2), Map.of("a", 5_000L, "again", 10L, "new", 7L)))
        .isEqualTo(Map.of("a", 2_000L));
  }

  @Test
  void theBaseFollowsAndAnOldOneIsOfNoUse() {
    rates.begin(START, Map.of("a", 0L));
    assertThat(rates.of(START.plusSeconds(5), Map.of("a", 5L))).containsEntry("a", 1L);
    assertThat(rates.of(START.plusSeconds(10), Map.of("a", 20L))).containsEntry("a", 2L);
    assertThat(rates.of(START.plusSeconds(20), Map.of("a", 50L))).containsEntry("a", 3L);
    assertThat(rates.isBlank(START.plusSeconds(200))).isTrue();
  }
}
