package dev.berth.agent.pressure;

/// Reads eviction signals.
public interface SignalSource {
  /// A source without signals.
  SignalSource NONE = () -> SignalReadings.NONE;

  /// The current readings; does not wait for runtime services.
  SignalReadings read();
}
