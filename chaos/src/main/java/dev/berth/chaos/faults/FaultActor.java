package dev.berth.chaos.faults;

import java.io.IOException;
import java.util.random.RandomGenerator;

/// Injects one fault and ends it. One thread calls both methods.
public interface FaultActor {
  /// Injects the fault.
  ///
  /// @param random a seeded source for variations of the fault
  void begin(RandomGenerator random) throws IOException;

  /// Ends the fault. Called once after `begin`, even after a failed one.
  void end() throws IOException;
}
