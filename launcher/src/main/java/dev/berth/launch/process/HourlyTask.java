package dev.berth.launch.process;

import dev.berth.client.ClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a task every hour. A failure is logged, and the task runs again after a minute.
///
/// Closing does not wait for a run in progress, and does not interrupt it.
public final class HourlyTask implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HourlyTask.class);

  private static final Duration USUAL = Duration.ofHours(1);

  /// A failure is often an outage of the server, which ends soon.
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

  /// Starts a task that runs for the first time in an hour.
  public static HourlyTask start(Runnable chore) {
    HourlyTask hourly = new HourlyTask(chore);
    Thread.ofVirtual().name("hourly").start(() -> hourly.run(USUAL));
    return hourly;
  }

  /// Starts a task with another period; it runs for the first time after one period.
  public static HourlyTask start(Runnable chore, Duration period) {
    HourlyTask hourly = new HourlyTask(chore, period);
    Thread.ofVirtual().name("hourly").start(() -> hourly.run(period));
    return hourly;
  }

  /// Starts a task that runs at once, and then every hour.
  public static HourlyTask startNow(Runnable chore) {
    return startNow(chore, USUAL);
  }

  /// Starts a task with another period; it runs for the first time at once, on its own thread.
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

  /// Runs the task once; returns how long to wait before the next time.
  Duration attempt() {
    try {
      chore.run();
      return period;
    } catch (ClientException e) {
      // The server is unreachable; a stack trace adds nothing.
      log.warn("periodic task failed; the next attempt is in a minute reason={}", e.getMessage());
      return AFTER_FAILURE;
    } catch (RuntimeException e) {
      log.warn("periodic task failed; the next attempt is in a minute", e);
      return AFTER_FAILURE;
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
