package dev.berth.agent.runtimes.health;

import org.jspecify.annotations.Nullable;

/// The newest news of one runtime service.
///
/// @param discovered what it told last; null until it answered once
public record HealthReport(ServiceHealth health, @Nullable DiscoveredService discovered) {}
