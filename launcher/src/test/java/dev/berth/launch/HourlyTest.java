package dev.berth.launch;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HourlyTest {
  @Test
  void whatCannotWaitIsDoneAtOnce() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    try (Hourly _ = Hourly.startNow(done::countDown)) {
      assertThat(done.await(120, SECONDS)).isTrue();
    }
  }

  @Test
  void whatFailedIsDoneAgainSoon() {
    Hourly failing =
        new Hourly(
            () -> {
              throw new IllegalStateException("the port is taken");
            });
    assertThat(failing.attempt()).isEqualTo(Duration.ofMinutes(1));
    assertThat(new Hourly(() -> {}).attempt()).isEqualTo(Duration.ofHours(1));
  }
}
