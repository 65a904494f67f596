package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.process.IdleHeap.Look;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleHeapTest {
  private static final long MB = 1 << 20;
  private static final Look BUSY = new Look(100 * MB, Duration.ofSeconds(50));

  private static Look later(long megabytes, int seconds) {
    return new Look(megabytes * MB, BUSY.work().plusSeconds(seconds));
  }

  @Test
  void aHeapThatHasGrownIsCollectedWhenNothingHappens() {
    assertThat(IdleHeap.isTime(BUSY, later(400, 1), 100 * MB)).isTrue();
  }

  @Test
  void nobodyIsHeldUpInABusyMinute() {
    assertThat(IdleHeap.isTime(BUSY, later(400, 6), 100 * MB)).isFalse();
  }

  @Test
  void aHeapThatIsNeededIsCollectedOnce() {
    assertThat(IdleHeap.isTime(BUSY, later(400, 1), 300 * MB)).isFalse();
  }

  @Test
  void littleIsNotWorthAPause() {
    assertThat(IdleHeap.isTime(BUSY, later(250, 1), 100 * MB)).isFalse();
    assertThat(IdleHeap.isTime(BUSY, later(2_400, 1), 2_000 * MB)).isFalse();
  }
}
