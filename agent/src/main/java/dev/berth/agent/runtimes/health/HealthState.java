package dev.berth.agent.runtimes.health;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of a runtime service between two observations.
///
/// @param probing a probe is in progress
/// @param probeAgain an event made the probe's result stale
/// @param failures failed probes in a row
/// @param losses times of losses within the flapping window
/// @param answeringSince null while it does not answer
record HealthState(
    ServiceHealth health,
    boolean probing,
    boolean probeAgain,
    int failures,
    List<Instant> losses,
    @Nullable Instant answeringSince) {
  HealthState {
    losses = List.copyOf(losses);
  }

  static HealthState registered(Instant now) {
    return new HealthState(new ServiceHealth.Connecting(now), false, false, 0, List.of(), null);
  }
}
