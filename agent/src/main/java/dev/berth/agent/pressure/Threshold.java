package dev.berth.agent.pressure;

import dev.berth.agent.pressure.Readings.Reading;
import java.time.Duration;

/// From where on a node is short of something.
///
/// @param grace for how long it may be; zero for a hard threshold
/// @param reclaim so much more is to be free before all is well again
public record Threshold(Signal signal, Amount least, Duration grace, Amount reclaim) {
  public static Threshold hard(Signal signal, Amount least) {
    return new Threshold(signal, least, Duration.ZERO, Amount.NOTHING);
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
