package dev.berth.client;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends the names of events so that a list of them is in the order in which things happened: their
/// own times are of whole seconds. Any thread may ask.
public final class EventSuffixes {
  private final InstantSource clock;
  private final AtomicLong last = new AtomicLong();

  public EventSuffixes(InstantSource clock) {
    this.clock = clock;
  }

  /// Nanoseconds, never the same twice.
  public String next() {
    Instant now = clock.instant();
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    return Long.toHexString(last.updateAndGet(before -> Math.max(before + 1, nanos)));
  }
}
