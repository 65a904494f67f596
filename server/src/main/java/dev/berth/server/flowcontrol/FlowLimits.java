package dev.berth.server.flowcontrol;

import java.time.Duration;

/// The limits of priority and fairness.
///
/// @param seats seats of all priority levels together
/// @param heavy limit for concurrent requests over many objects
/// @param patience maximum wait for seats
public record FlowLimits(int seats, int heavy, Duration patience) {
  /// Upstream's value: a quarter of the request timeout.
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// A heavy request keeps a carrier thread busy; more of them than about twice the processors only
  /// delay everything else.
  private static final int HEAVY = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  public FlowLimits {
    if (seats < 1 || heavy < 1) {
      throw new IllegalArgumentException(
          "the numbers of seats and of heavy requests must be positive, not %d and %d"
              .formatted(seats, heavy));
    }
  }

  public static FlowLimits of(int seats) {
    return new FlowLimits(seats, HEAVY, PATIENCE);
  }
}
