package dev.berth.agent.runtimes.health;

import dev.berth.agent.runtimes.health.HealthObservation.Answered;
import dev.berth.agent.runtimes.health.HealthObservation.Connected;
import dev.berth.agent.runtimes.health.HealthObservation.Disconnected;
import dev.berth.agent.runtimes.health.HealthObservation.Failed;
import dev.berth.agent.runtimes.health.HealthObservation.ProbeDue;
import dev.berth.agent.runtimes.health.ServiceHealth.NotReady;
import dev.berth.agent.runtimes.health.ServiceHealth.Ready;
import dev.berth.api.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides what an observation means for the health of a runtime service, and what to do next.
///
/// A loss counts immediately. A recovery counts immediately, too, unless the service is flapping.
///
/// @param service its name, for messages
record HealthRules(String service, HealthTimings timings) {
  /// The new state and the actions.
  ///
  /// @param probeNow whether to start a probe and drop the scheduled one
  /// @param nextProbe when to probe again; null keeps the schedule
  record Decision(HealthState state, boolean probeNow, @Nullable Duration nextProbe) {}

  Decision decide(HealthState state, HealthObservation observation, Instant now) {
    return switch (observation) {
      case ProbeDue _, Connected _ -> probe(state);
      case Disconnected _ -> disconnected(state, now);
      case Answered(var discovered) -> answered(state, discovered, now);
      case Failed(var problem) -> failed(state, problem, now);
    };
  }

  private static Decision probe(HealthState state) {
    return new Decision(
        new HealthState(
            state.health(),
            true,
            state.probing(),
            state.failures(),
            state.losses(),
            state.answeringSince()),
        !state.probing(),
        null);
  }

  /// Failed attempts to connect arrive here, too, and change nothing.
  private Decision disconnected(HealthState state, Instant now) {
    if (state.answeringSince() == null) {
      return new Decision(state, false, null);
    }
    var problem =
        new Problem(
            "runtime service %s is not ready".formatted(service),
            "the connection to it was lost",
            "Check that the runtime runs; what it ran before is unknown until it answers again");
    HealthState lost =
        new HealthState(
            silent(state, problem, now),
            state.probing(),
            state.probeAgain(),
            state.failures(),
            losses(state, now),
            null);
    return probe(lost);
  }

  private Decision failed(HealthState state, Problem problem, Instant now) {
    int failures = state.failures() + 1;
    HealthState next =
        new HealthState(
            silent(state, problem, now), false, false, failures, losses(state, now), null);
    return afterProbe(state, next, timings.retryAfter(failures));
  }

  private Decision answered(HealthState state, DiscoveredService discovered, Instant now) {
    Instant answeringSince = state.answeringSince() == null ? now : state.answeringSince();
    ServiceHealth health = judge(state, discovered, answeringSince, now);
    HealthState next =
        new HealthState(
            health,
            false,
            false,
            0,
            health.isReady() ? recent(state.losses(), now) : losses(state, now),
            answeringSince);
    return afterProbe(
        state, next, health.isReady() ? timings.everyWhenReady() : timings.longestRetry());
  }

  private ServiceHealth judge(
      HealthState state, DiscoveredService discovered, Instant answeringSince, Instant now) {
    Problem obstacle = discovered.obstacle(service);
    if (obstacle != null) {
      return notReady(state, obstacle, discovered.isComputeReady(), now);
    }
    if (state.health() instanceof Ready ready) {
      return ready;
    }
    int losses = recent(state.losses(), now).size();
    if (losses >= timings.flapLimit() && now.isBefore(answeringSince.plus(timings.stableFor()))) {
      return notReady(state, flapping(losses), false, now);
    }
    return new Ready(now);
  }

  private Problem flapping(int losses) {
    return new Problem(
        "runtime service %s is not ready".formatted(service),
        "it was lost %d times within %d seconds"
            .formatted(losses, timings.flapWindow().toSeconds()),
        "It counts as ready again after %d seconds without a loss"
            .formatted(timings.stableFor().toSeconds()));
  }

  /// An event during the probe may have made its result stale.
  private static Decision afterProbe(HealthState before, HealthState next, Duration nextProbe) {
    return before.probeAgain() ? probe(next) : new Decision(next, false, nextProbe);
  }

  private static NotReady silent(HealthState state, Problem problem, Instant now) {
    return new NotReady(notReadySince(state, now), problem, false, false);
  }

  private static NotReady notReady(
      HealthState state, Problem problem, boolean computeReady, Instant now) {
    return new NotReady(notReadySince(state, now), problem, true, computeReady);
  }

  private static Instant notReadySince(HealthState state, Instant now) {
    return state.health() instanceof NotReady before ? before.since() : now;
  }

  /// The recent losses, including this one if it is one.
  private List<Instant> losses(HealthState state, Instant now) {
    List<Instant> losses = new ArrayList<>(recent(state.losses(), now));
    if (state.health() instanceof Ready) {
      losses.add(now);
    }
    return losses;
  }

  private List<Instant> recent(List<Instant> losses, Instant now) {
    Instant start = now.minus(timings.flapWindow());
    return losses.stream().filter(loss -> loss.isAfter(start)).toList();
  }
}
