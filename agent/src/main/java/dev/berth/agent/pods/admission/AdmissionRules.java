package dev.berth.agent.pods.admission;

import java.time.Duration;

/// What an administrator decides about pods that the node does not take.
///
/// @param unresolved what happens to a pod whose RuntimeClass or handler does not exist
/// @param immediate how many pods of a controller fail in a row without a delay
/// @param firstDelay of the next failure; doubles with each one
/// @param longestDelay of a failure
public record AdmissionRules(
    UnresolvedPolicy unresolved, int immediate, Duration firstDelay, Duration longestDelay) {
  public static final AdmissionRules STANDARD =
      new AdmissionRules(
          UnresolvedPolicy.FAIL_MISSING_CLASS, 3, Duration.ofSeconds(1), Duration.ofMinutes(1));

  public AdmissionRules with(UnresolvedPolicy other) {
    return new AdmissionRules(other, immediate, firstDelay, longestDelay);
  }
}
