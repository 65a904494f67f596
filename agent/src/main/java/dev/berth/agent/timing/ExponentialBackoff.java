package dev.berth.agent.timing;

import java.time.Duration;

/// Waits that double with every failure in a row, up to a bound.
public record ExponentialBackoff(Duration first, Duration longest) {
  /// Doubling more often would overflow; the longest wait is reached long before.
  private static final int MOST_TIMES = 10;

  /// The wait before the next attempt.
  ///
  /// @param before the number of earlier failures in a row
  public Duration after(int before) {
    Duration wait = first.multipliedBy(1L << Math.min(before, MOST_TIMES));
    return wait.compareTo(longest) > 0 ? longest : wait;
  }
}
