package dev.berth.agent.pressure;

/// Where readings come from.
public interface SignalSource {
  /// Where nothing is ever short.
  SignalSource NONE = () -> SignalReadings.NONE;

  /// Those of this moment; does not wait for runtime services.
  SignalReadings read();
}
