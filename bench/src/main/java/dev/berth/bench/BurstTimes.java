package dev.berth.bench;

import java.util.Arrays;
import java.util.Comparator;

/// How long pods that were wanted at once took, in milliseconds since they were wanted.
///
/// @param all until the last of them ran
record BurstTimes(double p50, double p95, double all) {
  static BurstTimes of(double[] millis) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    return new BurstTimes(
        sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.95)], sorted[sorted.length - 1]);
  }

  /// Of several bursts the one in the middle.
  static BurstTimes middle(BurstTimes... bursts) {
    BurstTimes[] sorted = bursts.clone();
    Arrays.sort(sorted, Comparator.comparingDouble(BurstTimes::all));
    return sorted[sorted.length / 2];
  }
}
