package dev.berth.chaos;

import java.time.Duration;

/// When the attack on one arena is over.
///
/// @param steps 0 for as many as there is time for
record AttackLimit(int steps, Duration time) {
  boolean isReached(int done, Duration passed) {
    return steps > 0 ? done >= steps : passed.compareTo(time) >= 0;
  }
}
