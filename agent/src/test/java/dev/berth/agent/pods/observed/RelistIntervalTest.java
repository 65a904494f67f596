package dev.berth.agent.pods.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.RelistInterval.ReportedChanges;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelistIntervalTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1, NOTHING, false, 20",
    "800, 1, NOTHING, false, 100",
    "60000, 1, NOTHING, false, 1000",
    "60000, 1, NOTHING, true, 250",
    "60000, 1, EXITS, false, 7500",
    "600000, 1, EXITS, false, 10000",
    "600000, 1, EXITS, true, 2500",
    "0, 1, EVERYTHING, true, 30000",
    // A slow list is not made so often, but looking away ends after a second.
    "0, 30, NOTHING, false, 300",
    "0, 5000, NOTHING, false, 1000",
  })
  void listsAreOftenWhileSomethingHappensAndSeldomWhenNothingDoes(
      long sinceActivity, long listing, ReportedChanges reported, boolean expects, long pause) {
    assertThat(
            new RelistInterval(
                    Duration.ofMillis(sinceActivity), Duration.ofMillis(listing), reported, expects)
                .pause())
        .isEqualTo(Duration.ofMillis(pause));
  }

  @Test
  void startsOfAServiceThatTellsOfExitsAreNotFollowedByLists() {
    assertThat(ReportedChanges.NOTHING.isFollowedUp()).isTrue();
    assertThat(ReportedChanges.EXITS.isFollowedUp()).isFalse();
    assertThat(ReportedChanges.EVERYTHING.isFollowedUp()).isFalse();
  }
}
