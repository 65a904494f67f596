package dev.berth.chaos.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which steps a seed gives.
final class FaultScheduleTest {
  private final List<FaultOption> options =
      Stream.of(FaultKind.values())
          .flatMap(kind -> Stream.of(option(kind, "one"), option(kind, "two")))
          .toList();

  @Test
  void theSameSeedGivesTheSameSteps() {
    assertThat(steps(5, 40)).isEqualTo(steps(5, 40)).isNotEqualTo(steps(6, 40));
  }

  @Test
  void everyFaultHasItsTurnBeforeOneComesAgain() {
    List<FaultOption> dealt = new ArrayList<>();
    FaultSchedule schedule = new FaultSchedule(options, 3);
    while (dealt.size() < options.size()) {
      dealt.addAll(schedule.next().faults());
    }

    assertThat(dealt).containsExactlyInAnyOrderElementsOf(options);
  }

  /// With every seed: a short run takes as many steps as there are kinds.
  @Test
  void everyKindComesInTheFirstSteps() {
    for (long seed = 0; seed < 200; seed++) {
      FaultSchedule schedule = new FaultSchedule(options, seed);

      assertThat(Stream.generate(schedule::next).limit(FaultKind.values().length))
          .flatExtracting(FaultStep::faults)
          .extracting(FaultOption::kind)
          .contains(FaultKind.values());
    }
  }

  @Test
  void twoFaultsAtOnceHaveDifferentTargets() {
    FaultSchedule schedule = new FaultSchedule(options, 9);
    List<FaultStep> pairs =
        Stream.generate(schedule::next).limit(200).filter(one -> one.faults().size() > 1).toList();

    assertThat(pairs)
        .isNotEmpty()
        .allMatch(one -> one.faults().stream().map(FaultOption::target).distinct().count() == 2);
  }

  @Test
  void hostileClientsAndPowerCutsComeAlone() {
    FaultSchedule schedule = new FaultSchedule(options, 4);

    assertThat(Stream.generate(schedule::next).limit(200))
        .filteredOn(
            step ->
                step.faults().stream()
                    .map(FaultOption::kind)
                    .anyMatch(
                        kind -> kind == FaultKind.HOSTILE_CLIENT || kind == FaultKind.POWER_CUT))
        .isNotEmpty()
        .allMatch(step -> step.faults().size() == 1);
  }

  private List<String> steps(long seed, int count) {
    FaultSchedule schedule = new FaultSchedule(options, seed);
    return Stream.generate(schedule::next).limit(count).map(FaultStep::toString).toList();
  }

  private static FaultOption option(FaultKind kind, String target) {
    return FaultOption.of(
        kind,
        target,
        100,
        2_000,
        new FaultActor() {
          @Override
          public void begin(RandomGenerator random) {}

          @Override
          public void end() {}
        });
  }
}
