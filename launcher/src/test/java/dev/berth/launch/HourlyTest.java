package dev.berth.launch;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HourlyTest {
  @Test
  void whatCannotWaitIsDoneAtOnce() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    try (Hourly _ = Hourly.startNow(done::countDown)) {
      assertThat(done.await(20, SECONDS)).isTrue();
    }
  }
}
