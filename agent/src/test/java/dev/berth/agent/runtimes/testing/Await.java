package dev.berth.agent.runtimes.testing;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for a condition.
public final class Await {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  /// Says why it was waited for in vain.
  ///
  /// @param what asked for when it was waited for in vain
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail("still waiting until " + what.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
