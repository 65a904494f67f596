package dev.berth.sim.time;

import java.time.Duration;
import java.time.Instant;

/// What time it is, and what happens later; a test moves it by hand.
public interface SimClock {
  Instant now();

  /// Runs the task when the time has passed, on a thread that may block.
  Timer after(Duration delay, Runnable task);

  /// Now, as CRI writes it: nanoseconds since the epoch.
  default long nanos() {
    Instant now = now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /// Something that is going to happen.
  interface Timer {
    /// Has no effect when it happened already.
    void cancel();
  }
}
