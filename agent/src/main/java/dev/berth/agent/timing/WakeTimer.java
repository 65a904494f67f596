package dev.berth.agent.timing;

import dev.berth.client.DelayedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs an action at the earliest of the times it was set to. Set by one thread.
public final class WakeTimer {
  private final DelayedActions delays;
  private final InstantSource clock;
  private final Runnable ring;

  /// Null after it has fired.
  private final AtomicReference<@Nullable Instant> next = new AtomicReference<>();

  private DelayedActions.Pending pending = () -> {};

  public WakeTimer(DelayedActions delays, InstantSource clock, Runnable ring) {
    this.delays = delays;
    this.clock = clock;
    this.ring = ring;
  }

  /// Adds a time; a past time fires immediately.
  public void set(Instant time) {
    Instant set = next.get();
    if (set != null && !time.isBefore(set)) {
      return; // It fires earlier; the woken thread sets later times again.
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
