package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;

/// An event between the agent and a runtime service.
sealed interface HealthObservation {
  /// The next probe is due.
  record ProbeDue() implements HealthObservation {}

  /// A connection was made; the server behind it may have changed.
  record Connected() implements HealthObservation {}

  record Disconnected() implements HealthObservation {}

  record Answered(DiscoveredService discovered) implements HealthObservation {}

  record Failed(Problem problem) implements HealthObservation {}
}
