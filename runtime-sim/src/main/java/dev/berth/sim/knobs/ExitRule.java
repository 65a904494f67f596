package dev.berth.sim.knobs;

import java.time.Duration;

/// Which containers end by themselves, and how.
///
/// @param image as the container's configuration names it
public record ExitRule(
    GlobPattern namespace,
    GlobPattern pod,
    GlobPattern container,
    GlobPattern image,
    Exit exit,
    RuleFrequency frequency) {
  /// The end of a container.
  ///
  /// @param after the start
  /// @param reason such as `OOMKilled`; empty lets the code decide
  public record Exit(Duration after, int code, String reason) {}
}
