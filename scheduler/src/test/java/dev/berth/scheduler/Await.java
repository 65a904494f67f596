package dev.berth.scheduler;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Waits for something that another thread brings about.
public final class Await {
  private static final Duration AT_MOST = Duration.ofMinutes(2);

  private Await() {}

  public static void untilAsserted(ThrowingCallable assertions) {
    long end = System.nanoTime() + AT_MOST.toNanos();
    while (true) {
      try {
        assertions.call();
        return;
      } catch (AssertionError | RuntimeException e) {
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
