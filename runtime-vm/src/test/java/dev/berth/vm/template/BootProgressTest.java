package dev.berth.vm.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BootProgressTest {
  private final BootProgress progress = new BootProgress();

  @Test
  void aGuestThatUsesItsProcessorAndWritesNothingIsStuck() {
    assertThat(stuck(10, 0, 0)).isFalse();
    assertThat(stuck(10, 8, 9)).isFalse();
    assertThat(stuck(10, 9, 10)).isTrue();
  }

  @Test
  void aSlowGuestThatWritesGoesOn() {
    for (int i = 0; i < 100; i++) {
      assertThat(stuck(i, 8L * i, 50L * i)).isFalse();
    }
  }

  @Test
  void aGuestThatWaitsIsGivenUp() {
    assertThat(stuck(10, 0, 0)).isFalse();
    assertThat(stuck(10, 1, 60)).isFalse();
    assertThat(stuck(10, 1, 61)).isTrue();
  }

  private boolean stuck(long written, long cpuSeconds, long seconds) {
    return progress.stuck(
        written, Duration.ofSeconds(cpuSeconds).toNanos(), Duration.ofSeconds(seconds).toNanos());
  }
}
