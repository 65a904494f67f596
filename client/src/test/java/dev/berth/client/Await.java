package dev.berth.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Waits for something that another thread brings about.
final class Await {
  private static final Duration AT_MOST = Duration.ofMinutes(2);

  private Await() {}

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + AT_MOST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not come true within " + AT_MOST);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// Repeats assertions until they hold; the last failure says what was wrong.
  static void untilAsserted(ThrowingCallable assertions) {
    long end = System.nanoTime() + AT_MOST.toNanos();
    while (true) {
      try {
        assertions.call();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
