package dev.berth.agent.runtimes.health;

import java.time.Duration;

/// When a runtime service is asked how it is, and what is made of the answers.
///
/// @param everyWhenReady time between probes of a ready service; a lost connection is seen at once
///   whatever this is
/// @param probeLimit a service that takes longer to answer does not answer
/// @param firstRetry time until the next probe after a first failure; doubles
/// @param longestRetry its bound, and thereby how late a recovery can be seen
/// @param flapWindow how far back losses are counted
/// @param flapLimit with this many losses in the window a service must prove itself
/// @param stableFor how long it must answer before it counts as ready again
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
          // Users are promised that a node tells within a second what has become of its runtimes.
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
