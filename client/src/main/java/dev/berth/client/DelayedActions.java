package dev.berth.client;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Runs short, non-blocking actions later; tests put a clock of their own behind it.
public interface DelayedActions extends AutoCloseable {
  /// Runs the action once after the delay; [Pending#cancel] prevents that.
  Pending after(Duration delay, Runnable action);

  /// Forgets what has not run yet.
  @Override
  void close();

  /// An action that has not run yet.
  @FunctionalInterface
  interface Pending {
    void cancel();
  }

  /// Real time, one daemon thread for all.
  static DelayedActions realTime() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("berth-delays").factory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // An action that comes due after the end has nobody left to act for.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return new DelayedActions() {
      @Override
      public Pending after(Duration delay, Runnable action) {
        var future = timer.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
      }

      @Override
      public void close() {
        timer.shutdownNow();
      }
    };
  }
}
