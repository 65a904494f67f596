package dev.berth.sim;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what happens on other threads.
public final class Await {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(120);

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
