package dev.berth.agent.pods.plan;

import java.time.Duration;
import java.time.Instant;

/// The time in which containers may end by themselves; sidecars, which stop later, share it.
///
/// @param since its start
public record GracePeriod(Duration time, Instant since) {
  /// Every container gets at least this much, however late it stops.
  static final Duration LEAST = Duration.ofSeconds(2);

  Instant end() {
    return since.plus(time.compareTo(LEAST) < 0 ? LEAST : time);
  }

  public Duration left(Instant now) {
    Duration left = time.minus(Duration.between(since, now));
    return left.compareTo(LEAST) < 0 ? LEAST : left;
  }
}
