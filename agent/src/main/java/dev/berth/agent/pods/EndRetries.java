package dev.berth.agent.pods;

import dev.berth.agent.pods.act.Outcome;
import dev.berth.agent.pods.plan.Step;
import dev.berth.agent.pods.plan.Trouble;
import dev.berth.api.Problem;
import dev.berth.api.ShortText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When the end of something is tried again that a runtime service refused: one that refuses at
/// once, as while its network plugin is away, would be asked without a pause. Of the worker's
/// thread alone.
final class EndRetries {
  /// The longest interval between two attempts.
  static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Doubling WAITS = new Doubling(Duration.ofSeconds(1), LONGEST);

  private static final int LONGEST_WHY = 500;

  /// After so many failures in a row nobody expects that the next attempt helps.
  private static final int BLOCKED = 3;

  /// @param since the first time
  /// @param why what the service said last
  private record Failure(Step step, Instant since, int times, Instant retryAt, String why) {}

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
      case Outcome.Failed(_, _, var why, _) -> failed(step, why, now);
      case Outcome.Unknown(_, var why) -> failed(step, why, now);
      case Outcome.Done _, Outcome.Pulled _ -> failures.remove(step.key());
    }
  }

  private void failed(Step step, String why, Instant now) {
    if (isEnd(step)) {
      failures.compute(step.key(), (_, before) -> next(step, before, now, why));
    }
  }

  /// What keeps the pod from its end: what was tried again and again without success.
  ///
  /// @param service the runtime service that is asked
  Optional<Trouble> blocked(String service) {
    return failures.values().stream()
        .filter(failure -> failure.times() >= BLOCKED)
        .min(Comparator.comparing(Failure::since))
        .map(
            failure ->
                new Trouble(Trouble.END_BLOCKED, words(failure, service), failure.retryAt()));
  }

  /// The same from one attempt to the next, so that it is written once.
  private static String words(Failure failure, String service) {
    String call =
        switch (failure.step()) {
          case Step.StopSandbox(var id) -> "StopPodSandbox of " + id;
          case Step.RemoveSandbox(var id) -> "RemovePodSandbox of " + id;
          case Step.StopContainer stop -> "StopContainer of " + stop.id();
          case Step.RemoveContainer(var id) -> "RemoveContainer of " + id;
          case Step.RunSandbox _,
              Step.PullImage _,
              Step.FindImage _,
              Step.StartContainer _,
              Step.PreStop _,
              Step.ResizeContainer _,
              Step.ResizePod _ ->
              failure.step().key();
        };
    return new Problem(
            "the pod cannot end",
            "%s fails at runtime service \"%s\" since %s (%s) and is tried again every %d s"
                .formatted(
                    call,
                    service,
                    failure.since().truncatedTo(ChronoUnit.SECONDS),
                    ShortText.of(failure.why(), LONGEST_WHY),
                    LONGEST.toSeconds()),
            "Look at the runtime's log on the node; end what is left of the pod there by hand (`crictl stopp`, `crictl rmp --force`, its shim and processes), or restart the runtime. `kubectl delete --force` only makes the API forget the pod")
        .toString();
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

  private static Failure next(Step step, @Nullable Failure before, Instant now, String why) {
    int times = before == null ? 0 : before.times();
    Instant since = before == null ? now : before.since();
    return new Failure(step, since, times + 1, now.plus(WAITS.after(times)), why);
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
