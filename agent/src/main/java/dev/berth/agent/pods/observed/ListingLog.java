package dev.berth.agent.pods.observed;

import dev.berth.agent.runtimes.health.ServiceHealth;
import java.util.Optional;

/// Log lines about lists of a service: one per change, and none for a service that was not asked
/// yet, as every service is when the agent starts.
final class ListingLog {
  private boolean wellBefore = true;

  /// @param health the health at the time of the list call
  Optional<String> after(ServiceHealth health, boolean well) {
    if (well == wellBefore || (!well && isNew(health))) {
      return Optional.empty();
    }
    wellBefore = well;
    return Optional.of(well ? "listed again" : "cannot be listed");
  }

  private static boolean isNew(ServiceHealth health) {
    return switch (health) {
      case ServiceHealth.Connecting _ -> true;
      case ServiceHealth.Draining(_, ServiceHealth otherwise) -> isNew(otherwise);
      case ServiceHealth.Ready _, ServiceHealth.NotReady _, ServiceHealth.Gone _ -> false;
    };
  }
}
