package dev.berth.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait after the n-th failure in a row: doubling between two bounds, with up to a
/// tenth more at random, so that many clients do not come back at the same moment.
public record Backoff(Duration first, Duration longest, RandomGenerator random) {
  private static final double JITTER = 0.1;

  /// The time to wait now.
  ///
  /// @param failures how many there have been before this one
  public Duration after(int failures) {
    double doubled = (double) first.toNanos() * Math.pow(2, Math.min(failures, 62));
    double bounded = Math.min(doubled, (double) longest.toNanos());
    return Duration.ofNanos((long) (bounded * (1 + JITTER * random.nextDouble())));
  }
}
