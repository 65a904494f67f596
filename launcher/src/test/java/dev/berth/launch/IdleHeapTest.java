package dev.berth.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.IdleHeap.Look;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleHeapTest {
  private static final Look BUSY = new Look(100, Duration.ofSeconds(50));

  private static Look later(long heap, int seconds) {
    return new Look(heap, BUSY.work().plusSeconds(seconds));
  }

  @Test
  void aHeapThatHasGrownIsCollectedWhenNothingHappens() {
    assertThat(IdleHeap.isTime(BUSY, later(200, 1), 100)).isTrue();
  }

  @Test
  void nobodyIsHeldUpInABusyMinute() {
    assertThat(IdleHeap.isTime(BUSY, later(200, 6), 100)).isFalse();
  }

  @Test
  void aHeapThatIsNeededIsCollectedOnce() {
    assertThat(IdleHeap.isTime(BUSY, later(200, 1), 180)).isFalse();
  }
}
