package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;

/// Something that happened between the agent and a runtime service.
sealed interface HealthObservation {
  /// The time for the next probe has come.
  record ProbeDue() implements HealthObservation {}

  /// There is a connection now; the server behind it may be another one than before.
  record Connected() implements HealthObservation {}

  record Disconnected() implements HealthObservation {}

  record Answered(DiscoveredService discovered) implements HealthObservation {}

  record Failed(Problem problem) implements HealthObservation {}
}
