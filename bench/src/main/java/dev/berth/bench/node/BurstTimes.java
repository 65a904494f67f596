package dev.berth.bench.node;

import java.util.Arrays;
import java.util.Comparator;

/// The start times of pods that were created at once, in milliseconds since their creation.
///
/// The quantiles say how the first pods of a burst fare, which a service with few replicas notices;
/// the last pod says how long the node was busy.
///
/// @param all the time until the last pod ran
record BurstTimes(double p50, double p95, double all) {
  static BurstTimes of(double[] millis) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    return new BurstTimes(
        sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.95)], sorted[sorted.length - 1]);
  }

  /// The burst with the median total time, as a whole: its quantiles belong together.
  // The median of each column alone would mix bursts, and p95 could exceed the time of all.
  static BurstTimes middle(BurstTimes... bursts) {
    BurstTimes[] sorted = bursts.clone();
    Arrays.sort(sorted, Comparator.comparingDouble(BurstTimes::all));
    return sorted[sorted.length / 2];
  }
}
