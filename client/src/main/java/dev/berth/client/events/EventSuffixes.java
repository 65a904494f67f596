package dev.berth.client.events;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends the names of events so that a list of them is in the order in which things happened: their
/// own times are of whole seconds. Any thread may ask.
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
