package dev.berth.sim.time;

import java.time.Duration;
import java.time.Instant;

/// The clock and timers of the simulator. Everything that waits uses it, so that tests can move
/// time by hand and a test of an hour takes no time.
public interface SimClock {
  Instant now();

  /// Runs the task after the delay, on a thread that may block.
  Timer after(Duration delay, Runnable task);

  /// The current time as CRI has it: nanoseconds since the epoch.
  default long nanos() {
    Instant now = now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /// A scheduled task.
  interface Timer {
    /// Cancels the task; has no effect once it has run.
    void cancel();
  }
}
