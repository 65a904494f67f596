package dev.berth.store;

import java.time.Duration;

/// Limits of the history, of one value and of all live values together, and of the time of a write.
///
/// History older than `history` is dropped; it is dropped earlier when a bucket has more than
/// `maxEvents` events, or when those of all buckets together hold more than about `maxHistoryBytes`
/// of values that are no longer live. The size of live objects is that of their values and an
/// estimate of the heap around each of them.
public record StoreLimits(
    Duration history,
    int maxEvents,
    long maxHistoryBytes,
    int maxValueBytes,
    long maxLiveBytes,
    Duration writeTimeout) {

  public static final StoreLimits DEFAULT =
      new StoreLimits(
          Duration.ofMinutes(5),
          50_000,
          Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8),
          1_500_000,
          Runtime.getRuntime().maxMemory() / 2,
          Duration.ofSeconds(30));

  public StoreLimits {
    if (history.isNegative() || maxEvents < 1 || maxHistoryBytes < 1 || maxValueBytes < 1) {
      throw new IllegalArgumentException("store limits must be positive");
    }
  }

  public StoreLimits withHistory(Duration history, int maxEvents, long maxHistoryBytes) {
    return new StoreLimits(
        history, maxEvents, maxHistoryBytes, maxValueBytes, maxLiveBytes, writeTimeout);
  }

  public StoreLimits withMaxLiveBytes(long maxLiveBytes) {
    return new StoreLimits(
        history, maxEvents, maxHistoryBytes, maxValueBytes, maxLiveBytes, writeTimeout);
  }
}
