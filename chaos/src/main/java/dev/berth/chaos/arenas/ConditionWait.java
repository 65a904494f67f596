package dev.berth.chaos.arenas;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition before an attack begins.
final class ConditionWait {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private ConditionWait() {}

  static void until(String what, BooleanSupplier condition) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException("timed out after " + LIMIT + ": " + what);
      }
      LockSupport.parkNanos(300_000_000);
    }
  }
}
