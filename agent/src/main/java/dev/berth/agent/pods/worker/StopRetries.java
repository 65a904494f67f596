package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.StepKey;
import dev.berth.agent.timing.ExponentialBackoff;
import dev.berth.api.Problem;
import dev.berth.api.TruncatedText;
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
final class StopRetries {
  /// The longest interval between two attempts.
  static final Duration LONGEST = Duration.ofSeconds(10);

  private static final ExponentialBackoff WAITS =
      new ExponentialBackoff(Duration.ofSeconds(1), LONGEST);

  private static final int LONGEST_WHY = 500;

  /// After so many failures in a row nobody expects that the next attempt helps.
  private static final int BLOCKED = 3;

  /// @param since the first time
  /// @param why what the service said last
  private record Failure(PodStep step, Instant since, int times, Instant retryAt, String why) {}

  /// By the key of the step.
  private final Map<StepKey, Failure> failures = new HashMap<>();

  /// The time before which the step is not begun; empty when it may be now.
  Optional<Instant> heldBack(PodStep step, Instant now) {
    return Optional.ofNullable(failures.get(step.key()))
        .map(Failure::retryAt)
        .filter(time -> time.isAfter(now));
  }

  void ended(PodStep step, StepOutcome outcome, Instant now) {
    switch (outcome) {
      case StepOutcome.Failed(_, _, var why, _) -> failed(step, why, now);
      case StepOutcome.Unknown(_, var why) -> failed(step, why, now);
      case StepOutcome.Done _, StepOutcome.Pulled _ -> failures.remove(step.key());
    }
  }

  private void failed(PodStep step, String why, Instant now) {
    if (isEnd(step)) {
      failures.compute(step.key(), (_, before) -> next(step, before, now, why));
    }
  }

  /// What keeps the pod from its end: what was tried again and again without success.
  ///
  /// @param service the runtime service that is asked
  Optional<ContainerWaiting> blocked(String service) {
    return failures.values().stream()
        .filter(failure -> failure.times() >= BLOCKED)
        .min(Comparator.comparing(Failure::since))
        .map(
            failure ->
                new ContainerWaiting(
                    ContainerWaiting.END_BLOCKED, words(failure, service), failure.retryAt()));
  }

  /// The same from one attempt to the next, so that it is written once.
  private static String words(Failure failure, String service) {
    String call =
        switch (failure.step()) {
          case PodStep.StopSandbox(var id) -> "StopPodSandbox of " + id;
          case PodStep.RemoveSandbox(var id) -> "RemovePodSandbox of " + id;
          case PodStep.StopContainer stop -> "StopContainer of " + stop.id();
          case PodStep.RemoveContainer(var id) -> "RemoveContainer of " + id;
          case PodStep.RunSandbox _,
              PodStep.PullImage _,
              PodStep.FindImage _,
              PodStep.StartContainer _,
              PodStep.PreStop _,
              PodStep.ResizeContainer _,
              PodStep.ResizePod _ ->
              failure.step().key().toString();
        };
    return new Problem(
            "the pod cannot end",
            "%s fails at runtime service \"%s\" since %s (%s) and is tried again every %d s"
                .formatted(
                    call,
                    service,
                    failure.since().truncatedTo(ChronoUnit.SECONDS),
                    TruncatedText.of(failure.why(), LONGEST_WHY),
                    LONGEST.toSeconds()),
            "Look at the runtime's log on the node; end what is left of the pod there by hand (`crictl stopp`, `crictl rmp --force`, its shim and processes), or restart the runtime. `kubectl delete --force` only makes the API forget the pod")
        .toString();
  }

  /// Since when containers could not be removed, by their ids.
  Map<String, Instant> unremovable() {
    Map<String, Instant> since = new HashMap<>();
    for (Failure failure : failures.values()) {
      if (failure.step() instanceof PodStep.RemoveContainer(var id)) {
        since.put(id, failure.since());
      }
    }
    return since;
  }

  private static Failure next(PodStep step, @Nullable Failure before, Instant now, String why) {
    int times = before == null ? 0 : before.times();
    Instant since = before == null ? now : before.since();
    return new Failure(step, since, times + 1, now.plus(WAITS.after(times)), why);
  }

  /// Starts have their own rules.
  private static boolean isEnd(PodStep step) {
    return switch (step) {
      case PodStep.StopSandbox _,
          PodStep.RemoveSandbox _,
          PodStep.StopContainer _,
          PodStep.RemoveContainer _ ->
          true;
      case PodStep.RunSandbox _,
          PodStep.PullImage _,
          PodStep.FindImage _,
          PodStep.StartContainer _,
          PodStep.PreStop _,
          PodStep.ResizeContainer _,
          PodStep.ResizePod _ ->
          false;
    };
  }
}
