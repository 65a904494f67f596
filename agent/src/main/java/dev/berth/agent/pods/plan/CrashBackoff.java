package dev.berth.agent.pods.plan;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The back-off before a container restarts: 10 s, doubled with every restart up to 5 min, and
/// reset once the container ran for 10 min.
///
/// @param since the time of the last restart
public record CrashBackoff(Duration backoff, Instant since) {
  /// The kubelet's back-off: doubled from ten seconds to five minutes.
  public static final Duration FIRST = Duration.ofSeconds(10);

  public static final Duration LONGEST = Duration.ofMinutes(5);

  /// A container that ran this long starts again without back-off, as with the kubelet.
  private static final Duration FORGOTTEN = LONGEST.multipliedBy(2);

  /// The record after one more restart.
  public static CrashBackoff next(@Nullable CrashBackoff before, Instant ended, Instant now) {
    if (before == null || before.isForgotten(ended)) {
      return new CrashBackoff(FIRST, now);
    }
    Duration doubled = before.backoff.multipliedBy(2);
    return new CrashBackoff(doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled, now);
  }

  /// The earliest time of the next restart. The first restart is immediate.
  static Instant restartAt(@Nullable CrashBackoff before, Instant ended) {
    return before == null || before.isForgotten(ended) ? ended : ended.plus(before.backoff);
  }

  private boolean isForgotten(Instant ended) {
    return Duration.between(since, ended).compareTo(FORGOTTEN) > 0;
  }
}
