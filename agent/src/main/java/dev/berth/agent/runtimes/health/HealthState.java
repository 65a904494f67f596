package dev.berth.agent.runtimes.health;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is remembered about a runtime service between two observations.
///
/// @param probing a probe is under way
/// @param probeAgain something happened meanwhile that may make its result stale
/// @param failures failed probes in a row
/// @param losses when it stopped being ready, as far back as flapping is looked at
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
