package dev.berth.agent.runtimes.health;

import org.jspecify.annotations.Nullable;

/// The newest health of a runtime service.
///
/// @param discovered the result of the last discovery; null until the first answer
public record HealthReport(ServiceHealth health, @Nullable DiscoveredService discovered) {}
