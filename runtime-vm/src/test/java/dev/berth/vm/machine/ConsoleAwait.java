package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what another process does.
final class ConsoleAwait {
  private ConsoleAwait() {}

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition holds in time").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }
}
