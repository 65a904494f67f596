package dev.berth.agent.probes;

/// The result of one probe.
sealed interface ProbeResult {
  /// The probe succeeded.
  ///
  /// @param doubt a warning for users; empty for none
  record Success(String doubt) implements ProbeResult {
    Success() {
      this("");
    }
  }

  record Failure(String why) implements ProbeResult {}

  /// The probe could not run, which says nothing about the container. It runs again later.
  record Unknown(String why) implements ProbeResult {}

  /// The probe's definition is invalid, which users are warned about: the container is neither
  /// ready nor restarted because of it.
  record Errored(String why) implements ProbeResult {}
}
