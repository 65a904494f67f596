package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;

/// Something that happened between the agent and a runtime service.
sealed interface Observation {
  /// The time for the next probe has come.
  record ProbeDue() implements Observation {}

  /// There is a connection now; the server behind it may be another one than before.
  record Connected() implements Observation {}

  record Disconnected() implements Observation {}

  record Answered(Discovered discovered) implements Observation {}

  record Failed(Problem problem) implements Observation {}
}
