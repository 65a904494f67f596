package dev.berth.sim.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Real time. One thread waits for all timers and hands each to a virtual thread, so that a
/// blocking task does not delay other timers. Any thread may call it.
public final class ScheduledTimeline implements SimClock, AutoCloseable {
  private static final Timer NOTHING = () -> {};

  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor alarm =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("sim-timer").factory());
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sim-timer-", 0).factory());

  public ScheduledTimeline(InstantSource clock) {
    this.clock = clock;
    // Otherwise the timer of a stopped container would hold its memory until the sleep is over.
    alarm.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    try {
      Future<?> future =
          alarm.schedule(() -> threads.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException _) {
      // The timeline is closed, and so is everything that the task belongs to.
      return NOTHING;
    }
  }

  /// Cancels all timers and interrupts their tasks, which ends waiting processes.
  @Override
  public void close() {
    alarm.shutdownNow();
    threads.shutdownNow();
  }
}
