package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.client.Delays;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriMetrics;
import java.time.InstantSource;

/// What every runtime service of a registry shares.
///
/// @param channels opens connections
/// @param metrics those of the channels: what was counted for a service goes with it
/// @param delays stays open when the registry is closed
/// @param own which sandboxes are pods of this node
/// @param claims keeps other agents away from the services
public record Surroundings(
    CriChannels channels,
    CriMetrics metrics,
    HealthTimings timings,
    Delays delays,
    InstantSource clock,
    OwnSandboxes own,
    ServiceClaims claims) {
  public Surroundings(
      CriChannels channels,
      CriMetrics metrics,
      HealthTimings timings,
      Delays delays,
      InstantSource clock) {
    this(channels, metrics, timings, delays, clock, OwnSandboxes.ALL, ServiceClaims.UNCHECKED);
  }

  /// Where others may use the same services.
  public Surroundings with(OwnSandboxes marks) {
    return new Surroundings(channels, metrics, timings, delays, clock, marks, claims);
  }

  /// Where other agents may act on the same services.
  public Surroundings with(ServiceClaims others) {
    return new Surroundings(channels, metrics, timings, delays, clock, own, others);
  }
}
