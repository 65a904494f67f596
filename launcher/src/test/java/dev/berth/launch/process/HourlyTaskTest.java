package dev.berth.launch.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HourlyTaskTest {
  @Test
  void whatCannotWaitIsDoneAtOnce() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    try (HourlyTask _ = HourlyTask.startNow(done::countDown)) {
      assertThat(done.await(120, SECONDS)).isTrue();
    }
  }

  @Test
  void whatFailedIsDoneAgainSoon() {
    HourlyTask failing =
        new HourlyTask(
            () -> {
              throw new IllegalStateException("the port is taken");
            });
    assertThat(failing.attempt()).isEqualTo(Duration.ofMinutes(1));
    assertThat(new HourlyTask(() -> {}).attempt()).isEqualTo(Duration.ofHours(1));
  }
}
