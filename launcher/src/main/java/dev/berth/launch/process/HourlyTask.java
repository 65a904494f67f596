package dev.berth.launch.process;

import dev.berth.client.ClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something every hour; what failed is logged and done again in a minute.
public final class HourlyTask implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HourlyTask.class);

  private static final Duration USUAL = Duration.ofHours(1);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  private final Runnable chore;
  private final Duration period;
  private final CountDownLatch closing = new CountDownLatch(1);

  HourlyTask(Runnable chore) {
    this(chore, USUAL);
  }

  private HourlyTask(Runnable chore, Duration period) {
    this.chore = chore;
    this.period = period;
  }

  /// The first time in an hour.
  public static HourlyTask start(Runnable chore) {
    HourlyTask hourly = new HourlyTask(chore);
    Thread.ofVirtual().name("hourly").start(() -> hourly.run(USUAL));
    return hourly;
  }

  /// More often than every hour, the first time after one period.
  public static HourlyTask start(Runnable chore, Duration period) {
    HourlyTask hourly = new HourlyTask(chore, period);
    Thread.ofVirtual().name("hourly").start(() -> hourly.run(period));
    return hourly;
  }

  /// The first time at once: in an hour it may be too late.
  public static HourlyTask startNow(Runnable chore) {
    return startNow(chore, USUAL);
  }

  public static HourlyTask startNow(Runnable chore, Duration period) {
    HourlyTask hourly = new HourlyTask(chore, period);
    Thread.ofVirtual().name("hourly").start(() -> hourly.run(hourly.attempt()));
    return hourly;
  }

  private void run(Duration wait) {
    try {
      Duration next = wait;
      while (!closing.await(next.toMillis(), TimeUnit.MILLISECONDS)) {
        next = attempt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// How long to wait before the next time.
  Duration attempt() {
    try {
      chore.run();
      return period;
    } catch (ClientException e) {
      // Of a server that is away for hours: a stack trace would say no more.
      log.warn("an hourly chore failed and is tried again in a minute: {}", e.getMessage());
      return AFTER_FAILURE;
    } catch (RuntimeException e) {
      log.warn("an hourly chore failed and is tried again in a minute", e);
      return AFTER_FAILURE;
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
