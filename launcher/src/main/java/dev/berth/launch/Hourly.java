package dev.berth.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something every hour; a failure is logged and does not end it.
final class Hourly implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Hourly.class);

  private final Runnable chore;
  private final CountDownLatch closing = new CountDownLatch(1);

  private Hourly(Runnable chore) {
    this.chore = chore;
  }

  /// The first time in an hour.
  static Hourly start(Runnable chore) {
    Hourly hourly = new Hourly(chore);
    Thread.ofVirtual().name("hourly").start(hourly::run);
    return hourly;
  }

  /// The first time at once: in an hour it may be too late.
  static Hourly startNow(Runnable chore) {
    Hourly hourly = new Hourly(chore);
    Thread.ofVirtual()
        .name("hourly")
        .start(
            () -> {
              hourly.attempt();
              hourly.run();
            });
    return hourly;
  }

  private void run() {
    try {
      while (!closing.await(1, TimeUnit.HOURS)) {
        attempt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt() {
    try {
      chore.run();
    } catch (RuntimeException e) {
      log.warn("an hourly chore failed and is tried again in an hour", e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
