package dev.berth.sim.images;

import java.time.Duration;

/// The duration of pulls.
///
/// @param latency the part that every pull takes
/// @param bytesPerSecond the rate of the rest; 0 means at once
public record PullSpeed(Duration latency, long bytesPerSecond) {
  public static final PullSpeed INSTANT = new PullSpeed(Duration.ZERO, 0);

  private static final double NANOS = 1e9;

  Duration timeFor(long size) {
    return bytesPerSecond == 0
        ? latency
        : latency.plusNanos((long) (NANOS * size / bytesPerSecond));
  }
}
