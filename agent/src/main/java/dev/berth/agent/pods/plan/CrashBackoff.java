package dev.berth.agent.pods.plan;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How long a container that ended has to wait before it is started again: 10 s, doubled with every
/// restart up to 5 min, and again once it ran for 10 min.
///
/// @param since when the container was last restarted
public record CrashBackoff(Duration backoff, Instant since) {
  public static final Duration FIRST = Duration.ofSeconds(10);
  public static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration FORGOTTEN = LONGEST.multipliedBy(2);

  /// The record after one more restart.
  public static CrashBackoff next(@Nullable CrashBackoff before, Instant ended, Instant now) {
    if (before == null || before.isForgotten(ended)) {
      return new CrashBackoff(FIRST, now);
    }
    Duration doubled = before.backoff.multipliedBy(2);
    return new CrashBackoff(doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled, now);
  }

  /// When a container that ended then may be started again; the first restart may at once.
  static Instant restartAt(@Nullable CrashBackoff before, Instant ended) {
    return before == null || before.isForgotten(ended) ? ended : ended.plus(before.backoff);
  }

  private boolean isForgotten(Instant ended) {
    return Duration.between(since, ended).compareTo(FORGOTTEN) > 0;
  }
}
