package dev.berth.agent.pods.plan;

import java.time.Duration;
import java.time.Instant;

/// How long containers may take to end; those that are stopped after others share it with them.
///
/// @param since when it began
public record GracePeriod(Duration time, Instant since) {
  /// So much every container gets, however late it is.
  static final Duration LEAST = Duration.ofSeconds(2);

  Instant end() {
    return since.plus(time.compareTo(LEAST) < 0 ? LEAST : time);
  }

  public Duration left(Instant now) {
    Duration left = time.minus(Duration.between(since, now));
    return left.compareTo(LEAST) < 0 ? LEAST : left;
  }
}
