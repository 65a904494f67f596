package dev.berth.cri;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition.
final class Await {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail("still waiting until " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
