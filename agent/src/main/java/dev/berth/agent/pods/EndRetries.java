package dev.berth.agent.pods;

import dev.berth.agent.pods.act.Outcome;
import dev.berth.agent.pods.plan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When the end of something is tried again that a runtime service refused: one that refuses at
/// once, as while its network plugin is away, would be asked without a pause. Of the worker's
/// thread alone.
final class EndRetries {
  private static final Doubling WAITS = new Doubling(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /// @param since the first time
  private record Failure(Step step, Instant since, int times, Instant retryAt) {}

  /// By the key of the step.
  private final Map<String, Failure> failures = new HashMap<>();

  /// The time before which the step is not begun; empty when it may be now.
  Optional<Instant> heldBack(Step step, Instant now) {
    return Optional.ofNullable(failures.get(step.key()))
        .map(Failure::retryAt)
        .filter(time -> time.isAfter(now));
  }

  void ended(Step step, Outcome outcome, Instant now) {
    switch (outcome) {
      case Outcome.Failed _, Outcome.Unknown _ -> {
        if (isEnd(step)) {
          failures.compute(step.key(), (_, before) -> next(step, before, now));
        }
      }
      case Outcome.Done _, Outcome.Pulled _ -> failures.remove(step.key());
    }
  }

  /// Since when containers could not be removed, by their ids.
  Map<String, Instant> unremovable() {
    Map<String, Instant> since = new HashMap<>();
    for (Failure failure : failures.values()) {
      if (failure.step() instanceof Step.RemoveContainer(var id)) {
        since.put(id, failure.since());
      }
    }
    return since;
  }

  private static Failure next(Step step, @Nullable Failure before, Instant now) {
    int times = before == null ? 0 : before.times();
    Instant since = before == null ? now : before.since();
    return new Failure(step, since, times + 1, now.plus(WAITS.after(times)));
  }

  /// Starts have their own rules.
  private static boolean isEnd(Step step) {
    return switch (step) {
      case Step.StopSandbox _, Step.RemoveSandbox _, Step.StopContainer _, Step.RemoveContainer _ ->
          true;
      case Step.RunSandbox _,
          Step.PullImage _,
          Step.FindImage _,
          Step.StartContainer _,
          Step.PreStop _,
          Step.ResizeContainer _,
          Step.ResizePod _ ->
          false;
    };
  }
}
