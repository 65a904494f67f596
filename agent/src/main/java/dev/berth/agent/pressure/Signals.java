package dev.berth.agent.pressure;

/// Where readings come from.
public interface Signals {
  /// Where nothing is ever short.
  Signals NONE = () -> Readings.NONE;

  /// Those of this moment; does not wait for runtime services.
  Readings read();
}
