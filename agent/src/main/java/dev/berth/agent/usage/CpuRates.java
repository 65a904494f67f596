package dev.berth.agent.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How much of the processors things use now, from their counters at two moments: most runtimes
/// only count.
public final class CpuRates {
  /// An older base says too little about now.
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /// From then on a reading is the base of the next.
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  private static final double NANO = 1e9;

  /// The counters of one moment, by whatever they are of.
  private record Base(Instant time, Map<String, Long> counters) {}

  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private @Nullable Base base;

  /// Whether there is nothing to compare with: counters have to be read twice.
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

  /// Billionths of a processor; what is new since the base is missing, and what began again.
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
