package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.client.DelayedActions;
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
public record RegistryContext(
    CriChannels channels,
    CriMetrics metrics,
    HealthTimings timings,
    DelayedActions delays,
    InstantSource clock,
    OwnSandboxes own,
    ServiceClaims claims) {
  public RegistryContext(
      CriChannels channels,
      CriMetrics metrics,
      HealthTimings timings,
      DelayedActions delays,
      InstantSource clock) {
    this(channels, metrics, timings, delays, clock, OwnSandboxes.ALL, ServiceClaims.UNCHECKED);
  }

  /// Where others may use the same services.
  public RegistryContext with(OwnSandboxes marks) {
    return new RegistryContext(channels, metrics, timings, delays, clock, marks, claims);
  }

  /// Where other agents may act on the same services.
  public RegistryContext with(ServiceClaims others) {
    return new RegistryContext(channels, metrics, timings, delays, clock, own, others);
  }
}
