package dev.berth.agent.events;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Says how often it may be written of one object that something happened again: some times in a
/// row, and then every five minutes, as the kubelet's events are.
final class EventRateLimit {
  private static final int IN_A_ROW = 25;
  private static final Duration EVERY = Duration.ofMinutes(5);
  private static final int REMEMBERED = 1_000;

  /// When all would be written again in a row, by UID; the oldest are forgotten.
  private final Map<String, Instant> rested =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > REMEMBERED;
        }
      };

  boolean allows(String uid, Instant now) {
    return !since(uid, now).isAfter(now.plus(EVERY.multipliedBy(IN_A_ROW - 1)));
  }

  void written(String uid, Instant now) {
    Instant next = since(uid, now).plus(EVERY);
    rested.remove(uid);
    rested.put(uid, next);
  }

  private Instant since(String uid, Instant now) {
    Instant known = rested.getOrDefault(uid, now);
    return known.isBefore(now) ? now : known;
  }
}
