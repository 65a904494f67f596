package dev.berth.sim.knobs;

import java.time.Duration;

/// A rule that ends matching containers after a time.
///
/// @param image the image as the container's configuration names it
public record ExitRule(
    GlobPattern namespace,
    GlobPattern pod,
    GlobPattern container,
    GlobPattern image,
    Exit exit,
    RuleFrequency frequency) {
  /// The end of a container.
  ///
  /// @param after the time since the container's start
  /// @param reason such as `OOMKilled`; empty means the reason that follows from the code
  public record Exit(Duration after, int code, String reason) {}
}
