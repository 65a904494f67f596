package dev.berth.agent.probes;

/// What one probe found.
sealed interface ProbeResult {
  /// The container does as it should.
  ///
  /// @param doubt why users may want to look at it all the same; empty when there is no reason
  record Success(String doubt) implements ProbeResult {
    Success() {
      this("");
    }
  }

  record Failure(String why) implements ProbeResult {}

  /// The probe could not be made, which says nothing about the container; it will be, later.
  record Unknown(String why) implements ProbeResult {}

  /// The probe cannot be made as it is written, which users should know: the container is neither
  /// ready nor restarted because of it.
  record Errored(String why) implements ProbeResult {}
}
