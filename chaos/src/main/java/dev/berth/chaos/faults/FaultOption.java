package dev.berth.chaos.faults;

import java.time.Duration;

/// A fault that an arena supports.
///
/// @param target the target of the fault; two faults of one step have different targets
/// @param shortest minimum duration of the fault
/// @param longest maximum duration of the fault
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
