package dev.berth.client.events;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Says how often it may be written of one key that something happened again: 25 times in a row,
/// and then every five minutes. The caller holds a lock.
final class EventRateLimit<K> {
  private static final int BURST = 25;
  private static final Duration REFILL = Duration.ofMinutes(5);
  private static final int REMEMBERED = 1_000;

  /// When the whole burst would be available again; the oldest are forgotten.
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
