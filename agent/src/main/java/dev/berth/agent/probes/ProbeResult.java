package dev.berth.agent.probes;

/// What one probe found.
sealed interface ProbeResult {
  record Success() implements ProbeResult {}

  record Failure(String why) implements ProbeResult {}

  /// The probe could not be made, which says nothing about the container.
  record Unknown(String why) implements ProbeResult {}
}
