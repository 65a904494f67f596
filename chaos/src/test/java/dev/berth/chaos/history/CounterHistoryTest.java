package dev.berth.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Which histories of a counter are linearizable.
final class CounterHistoryTest {
  private final CounterHistory history = new CounterHistory();

  @Test
  void operationsOneAfterTheOtherAre() {
    history.read(1, 2, 0);
    history.incremented(3, 4, 1);
    history.read(5, 6, 1);
    history.incremented(7, 8, 2);

    assertThat(history.contradictions()).isEmpty();
  }

  @Test
  void aReadDuringAnIncrementMaySeeEither() {
    history.incremented(1, 10, 1);
    history.read(2, 3, 0);
    history.read(4, 5, 1);

    assertThat(history.contradictions()).isEmpty();
  }

  @Test
  void anIncrementWithAnUnknownOutcomeMayBeSeenMuchLaterOrNever() {
    history.unknown(1, 1);
    history.read(20, 21, 0);
    history.read(30, 31, 1);

    assertThat(history.contradictions()).isEmpty();
  }

  @Test
  void aStaleReadIsNone() {
    history.incremented(1, 2, 1);
    history.read(3, 4, 0);

    assertThat(history.contradictions()).containsExactly("READ 0 began after 1 was complete");
  }

  @Test
  void readsMustNotGoBack() {
    history.incremented(1, 20, 1);
    history.read(2, 3, 1);
    history.read(4, 5, 0);

    assertThat(history.contradictions()).containsExactly("READ 0 began after 1 was complete");
  }

  @Test
  void aLostIncrementIsFoundByItsSuccessor() {
    history.incremented(1, 2, 1);
    history.incremented(3, 4, 1);

    assertThat(history.contradictions())
        .containsExactly(
            "two increments to 1 were acknowledged", "INCREMENT 1 began after 1 was complete");
  }

  @Test
  void nobodyReadsWhatNobodyWrote() {
    history.read(1, 2, 1);
    history.incremented(3, 4, 1);
    history.read(5, 6, 7);

    assertThat(history.contradictions())
        .contains("1 was read before anybody wrote it", "7 was read before anybody wrote it");
  }
}
