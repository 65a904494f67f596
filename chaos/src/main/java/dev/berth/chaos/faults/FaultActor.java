package dev.berth.chaos.faults;

import java.io.IOException;
import java.util.random.RandomGenerator;

/// Brings one fault about and takes it back.
public interface FaultActor {
  /// Brings the fault about.
  ///
  /// @param random what the fault may vary by; seeded
  void begin(RandomGenerator random) throws IOException;

  /// Called once after `begin`, also when that failed halfway.
  void end() throws IOException;
}
