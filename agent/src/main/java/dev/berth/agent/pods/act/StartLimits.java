package dev.berth.agent.pods.act;

import java.time.Duration;

/// How many start calls a runtime service gets at once.
///
/// @param perProcessor calls for each processor of the machine
/// @param patience after this time a call no longer counts
public record StartLimits(int perProcessor, Duration patience) {
  /// The patience is much longer than a call takes on a busy processor. A slower call waits for
  /// something else, such as an address from a network plugin, and must not hold a place.
  public static final StartLimits STANDARD = new StartLimits(4, Duration.ofSeconds(1));
}
