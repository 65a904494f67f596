package dev.berth.chaos;

import java.time.Duration;

/// The end of the attack on one arena.
///
/// @param steps number of steps; 0 means as many as the time permits
record AttackLimit(int steps, Duration time) {
  boolean isReached(int done, Duration passed) {
    return steps > 0 ? done >= steps : passed.compareTo(time) >= 0;
  }
}
