package dev.berth.client.events;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Generates the suffixes of event names, so that a list of events is sorted by time: the
/// timestamps of events have whole seconds only. Safe for all threads.
final class EventSuffixes {
  private final InstantSource clock;
  private final AtomicLong last = new AtomicLong();

  EventSuffixes(InstantSource clock) {
    this.clock = clock;
  }

  /// Nanoseconds, never the same twice.
  String next() {
    Instant now = clock.instant();
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    return Long.toHexString(last.updateAndGet(before -> Math.max(before + 1, nanos)));
  }
}
