package dev.berth.registry.transport;

import java.time.Duration;

/// Bounds on what a registry can make a client do.
///
/// @param connect how long a connection may take
/// @param stall how long a registry may send nothing
/// @param attempts of one request, when failures may pass
/// @param firstPause between attempts; doubles each time
/// @param longestPause that is waited, also when the registry asks for more
public record TransportLimits(
    Duration connect, Duration stall, int attempts, Duration firstPause, Duration longestPause) {
  public static final TransportLimits USUAL =
      new TransportLimits(
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          4,
          Duration.ofMillis(250),
          Duration.ofSeconds(10));
}
