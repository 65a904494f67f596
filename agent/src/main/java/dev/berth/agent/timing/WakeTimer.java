package dev.berth.agent.timing;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Rings at the earliest of the times it was set to; used by one thread.
public final class WakeTimer {
  private final DelayedActions delays;
  private final InstantSource clock;
  private final Runnable ring;

  /// Null when it has rung.
  private final AtomicReference<@Nullable Instant> next = new AtomicReference<>();

  private DelayedActions.Pending pending = () -> {};

  public WakeTimer(DelayedActions delays, InstantSource clock, Runnable ring) {
    this.delays = delays;
    this.clock = clock;
    this.ring = ring;
  }

  /// Rings at this time too; a time that is past is now.
  public void set(Instant time) {
    Instant set = next.get();
    if (set != null && !time.isBefore(set)) {
      return; // It rings before; whoever it wakes sets it again.
    }
    pending.cancel();
    next.set(time);
    Duration left = Duration.between(clock.instant(), time);
    pending = delays.after(left.isNegative() ? Duration.ZERO : left, () -> ring(time));
  }

  private void ring(Instant time) {
    next.compareAndSet(time, null);
    ring.run();
  }
}
