package dev.berth.agent.pressure;

import dev.berth.agent.pressure.SignalReadings.Reading;
import java.time.Duration;

/// A threshold below which a node is short of a resource.
///
/// @param grace how long it may be met before pods are evicted; zero for a hard threshold
/// @param reclaim how much more has to be free before the pressure ends
public record EvictionThreshold(
    EvictionSignal signal, ThresholdValue least, Duration grace, ThresholdValue reclaim) {
  public static EvictionThreshold hard(EvictionSignal signal, ThresholdValue least) {
    return new EvictionThreshold(signal, least, Duration.ZERO, ThresholdValue.NOTHING);
  }

  public boolean isHard() {
    return grace.isZero();
  }

  boolean isMet(Reading reading) {
    return reading.available() < least.of(reading.capacity());
  }

  /// Whether too little was reclaimed since the threshold was met.
  boolean isUnresolved(Reading reading) {
    return reading.available() < least.of(reading.capacity()) + reclaim.of(reading.capacity());
  }
}
