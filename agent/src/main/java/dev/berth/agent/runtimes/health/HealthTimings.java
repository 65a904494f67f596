package dev.berth.agent.runtimes.health;

import java.time.Duration;

/// Timings of health probes.
///
/// @param everyWhenReady the interval between probes of a ready service; a lost connection is
///   noticed immediately in any case
/// @param probeLimit the timeout of a probe
/// @param firstRetry the time until the probe after a first failure; doubles with each failure
/// @param longestRetry its bound, which also bounds how late a recovery is noticed
/// @param flapWindow the window in which losses are counted
/// @param flapLimit the number of losses in the window that counts as flapping
/// @param stableFor how long a flapping service must answer before it counts as ready
public record HealthTimings(
    Duration everyWhenReady,
    Duration probeLimit,
    Duration firstRetry,
    Duration longestRetry,
    Duration flapWindow,
    int flapLimit,
    Duration stableFor) {
  public static final HealthTimings STANDARD =
      new HealthTimings(
          // The documentation promises that a node reports changes of its runtimes within a second.
          Duration.ofMillis(800),
          Duration.ofSeconds(5),
          Duration.ofMillis(50),
          Duration.ofMillis(250),
          Duration.ofMinutes(1),
          3,
          Duration.ofSeconds(10));

  Duration retryAfter(int failures) {
    Duration doubled = firstRetry.multipliedBy(1L << Math.min(failures - 1, 16));
    return doubled.compareTo(longestRetry) < 0 ? doubled : longestRetry;
  }
}
