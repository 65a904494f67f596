package dev.berth.server.flowcontrol;

import java.time.Duration;

/// How much is served at once, and how long requests wait.
///
/// @param seats of all priority levels together
/// @param heavy requests over many objects that run at once
/// @param patience how long a request may wait for its seats
public record FlowLimits(int seats, int heavy, Duration patience) {
  /// Upstream's: a quarter of the time of a request.
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final int HEAVY = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  public FlowLimits {
    if (seats < 1 || heavy < 1) {
      throw new IllegalArgumentException(
          "there must be seats and places for heavy requests, not %d and %d"
              .formatted(seats, heavy));
    }
  }

  public static FlowLimits of(int seats) {
    return new FlowLimits(seats, HEAVY, PATIENCE);
  }
}
