package dev.berth.client.events;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Limits the writes of repeated events of one key: a burst of 25, then one every five minutes, as
/// upstream. The caller holds a lock.
///
/// A key needs one time only: every write moves the time of the full burst by one refill, and a
/// write is allowed while that time is at most 24 refills ahead.
final class EventRateLimit<K> {
  private static final int BURST = 25;
  private static final Duration REFILL = Duration.ofMinutes(5);
  private static final int REMEMBERED = 1_000;

  /// The time at which each key has its full burst again; bounded, the oldest entries are dropped.
  private final Map<K, Instant> refilled =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Instant> eldest) {
          return size() > REMEMBERED;
        }
      };

  boolean allows(K key, Instant now) {
    return !since(key, now).isAfter(now.plus(REFILL.multipliedBy(BURST - 1)));
  }

  void written(K key, Instant now) {
    Instant next = since(key, now).plus(REFILL);
    refilled.remove(key);
    refilled.put(key, next);
  }

  private Instant since(K key, Instant now) {
    Instant known = refilled.getOrDefault(key, now);
    return known.isBefore(now) ? now : known;
  }
}
