package dev.berth.client;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Runs short, non-blocking actions after a delay; tests implement it with a manual clock.
///
/// Loops share one instance. The thread runs actions one after another, so an action that blocked
/// would delay all loops.
public interface DelayedActions extends AutoCloseable {
  /// Runs the action once after the delay; [Pending#cancel] prevents that.
  Pending after(Duration delay, Runnable action);

  /// Discards the actions that have not run yet.
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
    // An action that comes due after the end has no owner any more.
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
