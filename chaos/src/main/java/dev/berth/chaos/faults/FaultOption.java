package dev.berth.chaos.faults;

import java.time.Duration;

/// A fault that an arena offers.
///
/// @param target what the fault is done to; two faults of one step have different targets
/// @param shortest how long the fault lasts at least
/// @param longest how long the fault lasts at most
public record FaultOption(
    FaultKind kind, String target, Duration shortest, Duration longest, FaultActor actor) {
  public static FaultOption of(
      FaultKind kind, String target, int shortestMillis, int longestMillis, FaultActor actor) {
    return new FaultOption(
        kind, target, Duration.ofMillis(shortestMillis), Duration.ofMillis(longestMillis), actor);
  }

  @Override
  public String toString() {
    return kind + " of " + target;
  }
}
