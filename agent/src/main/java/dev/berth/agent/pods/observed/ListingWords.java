package dev.berth.agent.pods.observed;

import dev.berth.agent.runtimes.health.Health;
import java.util.Optional;

/// What the log says about the lists of a service: once per change, and nothing of one that has not
/// been asked yet, as every service is for a moment when the agent starts.
final class ListingWords {
  private boolean wellBefore = true;

  /// @param health as it was when the list was asked for
  Optional<String> after(Health health, boolean well) {
    if (well == wellBefore || (!well && isNew(health))) {
      return Optional.empty();
    }
    wellBefore = well;
    return Optional.of(well ? "listed again" : "cannot be listed");
  }

  private static boolean isNew(Health health) {
    return switch (health) {
      case Health.Connecting _ -> true;
      case Health.Draining(_, Health otherwise) -> isNew(otherwise);
      case Health.Ready _, Health.NotReady _, Health.Gone _ -> false;
    };
  }
}
