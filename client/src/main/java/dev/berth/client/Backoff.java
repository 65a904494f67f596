package dev.berth.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The wait after the n-th failure in a row: it doubles between two bounds. Up to a tenth is added
/// at random, so that many clients do not retry at the same moment.
public record Backoff(Duration first, Duration longest, RandomGenerator random) {
  private static final double JITTER = 0.1;

  /// The time to wait before the next attempt.
  ///
  /// @param failures the number of failures before this one
  public Duration after(int failures) {
    // The exponent is bounded because the doubled value would become infinite; the bound below
    // decides long before.
    double doubled = (double) first.toNanos() * Math.pow(2, Math.min(failures, 62));
    double bounded = Math.min(doubled, (double) longest.toNanos());
    return Duration.ofNanos((long) (bounded * (1 + JITTER * random.nextDouble())));
  }
}
