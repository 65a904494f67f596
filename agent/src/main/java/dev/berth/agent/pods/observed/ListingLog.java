package dev.berth.agent.pods.observed;

import dev.berth.agent.runtimes.health.ServiceHealth;
import java.util.Optional;

/// What the log says about the lists of a service: once per change, and nothing of one that has not
/// been asked yet, as every service is for a moment when the agent starts.
final class ListingLog {
  private boolean wellBefore = true;

  /// @param health as it was when the list was asked for
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
