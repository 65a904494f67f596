package dev.berth.agent.pressure;

import dev.berth.agent.pressure.SignalReadings.Reading;
import java.time.Duration;

/// From where on a node is short of something.
///
/// @param grace for how long it may be; zero for a hard threshold
/// @param reclaim so much more is to be free before all is well again
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

  /// Whether not enough was had back since it was met.
  boolean isUnresolved(Reading reading) {
    return reading.available() < least.of(reading.capacity()) + reclaim.of(reading.capacity());
  }
}
