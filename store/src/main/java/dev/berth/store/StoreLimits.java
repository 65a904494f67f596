package dev.berth.store;

import java.time.Duration;

/// How much history is kept per bucket, how large a value may be, and how long a write may take.
///
/// History older than `history` is dropped; it is dropped earlier when a bucket has more than
/// `maxEvents` events or they hold more than about `maxHistoryBytes` of values that are no longer
/// live.
public record StoreLimits(
    Duration history,
    int maxEvents,
    long maxHistoryBytes,
    int maxValueBytes,
    Duration writeTimeout) {

  public static final StoreLimits DEFAULT =
      new StoreLimits(Duration.ofMinutes(5), 50_000, 64L << 20, 1_500_000, Duration.ofSeconds(30));

  public StoreLimits {
    if (history.isNegative() || maxEvents < 1 || maxHistoryBytes < 1 || maxValueBytes < 1) {
      throw new IllegalArgumentException("store limits must be positive");
    }
  }

  public StoreLimits withHistory(Duration history, int maxEvents, long maxHistoryBytes) {
    return new StoreLimits(history, maxEvents, maxHistoryBytes, maxValueBytes, writeTimeout);
  }

  public StoreLimits withWriteTimeout(Duration writeTimeout) {
    return new StoreLimits(history, maxEvents, maxHistoryBytes, maxValueBytes, writeTimeout);
  }
}
