package dev.berth.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Waits for what another thread or process is about to do.
public final class Await {
  private Await() {}

  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(what, Duration.ofMinutes(2), condition);
  }

  public static void until(String what, Duration patience, Callable<Boolean> condition)
      throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + patience + ": " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
