package dev.berth.agent.pods;

import dev.berth.client.Delays;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Rings at the earliest of the times it was set to; used by one thread.
final class Alarm {
  private final Delays delays;
  private final InstantSource clock;
  private final Runnable ring;
  private @Nullable Instant next;
  private Delays.Pending pending = () -> {};

  Alarm(Delays delays, InstantSource clock, Runnable ring) {
    this.delays = delays;
    this.clock = clock;
    this.ring = ring;
  }

  /// Rings at this time too; a time that is past is now.
  void set(Instant time) {
    Instant now = clock.instant();
    if (next != null && next.isAfter(now) && !time.isBefore(next)) {
      return; // It rings before; whoever it wakes sets it again.
    }
    pending.cancel();
    next = time;
    Duration left = Duration.between(now, time);
    pending = delays.after(left.isNegative() ? Duration.ZERO : left, ring);
  }
}
