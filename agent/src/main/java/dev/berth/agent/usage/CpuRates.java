package dev.berth.agent.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Computes current CPU usage from counters at two moments: most runtimes report only counters.
public final class CpuRates {
  /// An older base does not describe the current usage.
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /// A reading this long after the base becomes the next base.
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  private static final double NANO = 1e9;

  /// The counters of one moment, by their subject.
  private record Base(Instant time, Map<String, Long> counters) {}

  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private @Nullable Base base;

  /// Whether there is no base to compare with.
  public boolean isBlank(Instant now) {
    lock.lock();
    try {
      return base == null || base.time().plus(LONGEST).isBefore(now);
    } finally {
      lock.unlock();
    }
  }

  public void begin(Instant time, Map<String, Long> counters) {
    lock.lock();
    try {
      base = new Base(time, Map.copyOf(counters));
    } finally {
      lock.unlock();
    }
  }

  /// Rates in nanocores. New subjects and restarted counters are missing.
  public Map<String, Long> of(Instant now, Map<String, Long> counters) {
    lock.lock();
    try {
      Base earlier = base;
      if (earlier == null || !earlier.time().isBefore(now)) {
        return Map.of();
      }
      Duration window = Duration.between(earlier.time(), now);
      if (window.compareTo(LONG_ENOUGH) >= 0) {
        base = new Base(now, Map.copyOf(counters));
      }
      Map<String, Long> rates = new HashMap<>();
      counters.forEach(
          (what, counter) -> {
            Long before = earlier.counters().get(what);
            if (before != null && before <= counter) {
              rates.put(what, Math.round((counter - before) / (window.toNanos() / NANO)));
            }
          });
      return rates;
    } finally {
      lock.unlock();
    }
  }
}
