package dev.berth.agent.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pressure.SignalReadings.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PressureWatchTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final EvictionThreshold SOFT =
      new EvictionThreshold(
          EvictionSignal.MEMORY,
          new ThresholdValue(500, 0),
          Duration.ofSeconds(90),
          new ThresholdValue(100, 0));

  @ParameterizedTest
  @CsvSource({
    "memory.available,   104857599, 8000000000, MEMORY",
    "memory.available,   104857600, 8000000000, ",
    "nodefs.available,   9,         100,        DISK",
    "nodefs.available,   10,        100,        ",
    "nodefs.inodesFree,  4,         100,        DISK",
    "nodefs.inodesFree,  5,         100,        ",
    "imagefs.available,  14,        100,        DISK",
    "imagefs.available,  15,        100,        ",
    "imagefs.inodesFree, 4,         100,        DISK",
    "pid.available,      1,         100,        "
  })
  void theUsualThresholdsAreTheKubelets(
      String signal,
      long available,
      long capacity,
      @org.jspecify.annotations.Nullable PressureCondition pressure) {
    PressureWatch watch =
        PressureWatch.CALM.next(
            PressureRules.STANDARD,
            readings(EvictionSignal.of(signal).orElseThrow(), available, capacity),
            NOW);

    assertThat(watch.pressures()).isEqualTo(pressure == null ? Set.of() : Set.of(pressure));
    assertThat(watch.due()).hasSize(pressure == null ? 0 : 1);
  }

  @Test
  void aSoftThresholdIsDueWhenItHasLasted() {
    PressureRules rules = rules(SOFT);
    PressureWatch first = PressureWatch.CALM.next(rules, memory(499), NOW);
    PressureWatch later = first.next(rules, memory(499), NOW.plusSeconds(89));
    PressureWatch due = later.next(rules, memory(499), NOW.plusSeconds(90));

    assertThat(first.pressures()).containsExactly(PressureCondition.MEMORY);
    assertThat(first.due()).isEmpty();
    assertThat(later.due()).isEmpty();
    assertThat(due.due()).containsExactly(SOFT);
  }

  @Test
  void aMomentOfRoomBeginsThePeriodAgain() {
    PressureRules rules = rules(SOFT);
    PressureWatch watch =
        PressureWatch.CALM
            .next(rules, memory(499), NOW)
            .next(rules, memory(500), NOW.plusSeconds(50))
            .next(rules, memory(499), NOW.plusSeconds(60))
            .next(rules, memory(499), NOW.plusSeconds(100));

    assertThat(watch.due()).isEmpty();
  }

  @Test
  void onceDueMoreHasToBeFree() {
    PressureRules rules = rules(SOFT);
    PressureWatch due =
        PressureWatch.CALM
            .next(rules, memory(499), NOW)
            .next(rules, memory(499), NOW.plusSeconds(90));

    assertThat(due.next(rules, memory(599), NOW.plusSeconds(100)).due()).containsExactly(SOFT);
    assertThat(due.next(rules, memory(600), NOW.plusSeconds(100)).due()).isEmpty();
    assertThat(PressureWatch.isCalm(rules, memory(599))).isFalse();
    assertThat(PressureWatch.isCalm(rules, memory(600))).isTrue();
  }

  @Test
  void aConditionStaysForAWhileAfterItWasLastTrue() {
    PressureRules rules = PressureRules.STANDARD;
    PressureWatch shortly = PressureWatch.CALM.next(rules, memory(1), NOW);
    PressureWatch after = shortly.next(rules, memory(1L << 30), NOW.plusSeconds(299));

    assertThat(after.pressures()).containsExactly(PressureCondition.MEMORY);
    assertThat(after.due()).isEmpty();
    assertThat(after.next(rules, memory(1L << 30), NOW.plusSeconds(300)).pressures()).isEmpty();
  }

  @Test
  void memoryComesFirst() {
    SignalReadings both =
        new SignalReadings(
            Map.of(
                EvictionSignal.NODE_DISK,
                new Reading(1, 100),
                EvictionSignal.MEMORY,
                new Reading(1, 100)),
            false,
            Set.of());

    assertThat(PressureWatch.CALM.next(PressureRules.STANDARD, both, NOW).due())
        .extracting(EvictionThreshold::signal)
        .containsExactly(EvictionSignal.MEMORY, EvictionSignal.NODE_DISK);
  }

  @Test
  void whatCannotBeReadIsNotShort() {
    assertThat(PressureWatch.CALM.next(PressureRules.STANDARD, SignalReadings.NONE, NOW))
        .isEqualTo(PressureWatch.CALM);
  }

  private static PressureRules rules(EvictionThreshold threshold) {
    return new PressureRules(List.of(threshold), Duration.ofMinutes(5), Duration.ZERO);
  }

  private static SignalReadings memory(long available) {
    return readings(EvictionSignal.MEMORY, available, 1L << 33);
  }

  private static SignalReadings readings(EvictionSignal signal, long available, long capacity) {
    return new SignalReadings(Map.of(signal, new Reading(available, capacity)), false, Set.of());
  }
}
