package dev.berth.registry.transport;

import java.time.Duration;

/// How long a call may take in all, by the monotonic clock.
///
/// @param total for messages
public record TimeBudget(Duration total, long startNanos) {
  public static TimeBudget startingNow(Duration total) {
    return new TimeBudget(total, System.nanoTime());
  }

  public Duration remaining() {
    Duration left = total.minusNanos(System.nanoTime() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  public boolean isOver() {
    return remaining().isZero();
  }

  /// Part of what is left, for a mirror that must leave time for the registry itself.
  public TimeBudget half() {
    return startingNow(remaining().dividedBy(2));
  }
}
