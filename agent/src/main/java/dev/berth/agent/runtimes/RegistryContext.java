package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriMetrics;
import java.time.InstantSource;

/// What all runtime services of a registry share.
///
/// @param channels opens connections
/// @param metrics of the channels; metrics of a service are removed with it
/// @param delays stays open when the registry is closed
/// @param own recognizes the sandboxes of this node
/// @param claims keeps other agents away from the services
/// @param images knows which handlers images are for
public record RegistryContext(
    CriChannels channels,
    CriMetrics metrics,
    HealthTimings timings,
    DelayedActions delays,
    InstantSource clock,
    OwnSandboxes own,
    ServiceClaims claims,
    ImageHandlers images) {
  public RegistryContext(
      CriChannels channels,
      CriMetrics metrics,
      HealthTimings timings,
      DelayedActions delays,
      InstantSource clock) {
    this(
        channels,
        metrics,
        timings,
        delays,
        clock,
        OwnSandboxes.ALL,
        ServiceClaims.UNCHECKED,
        ImageHandlers.NONE);
  }

  /// The same for services that others use, too.
  public RegistryContext with(OwnSandboxes marks) {
    return new RegistryContext(channels, metrics, timings, delays, clock, marks, claims, images);
  }

  /// The same with claims against other agents.
  public RegistryContext with(ServiceClaims others) {
    return new RegistryContext(channels, metrics, timings, delays, clock, own, others, images);
  }

  /// The same with records of the handlers of images.
  public RegistryContext with(ImageHandlers known) {
    return new RegistryContext(channels, metrics, timings, delays, clock, own, claims, known);
  }
}
