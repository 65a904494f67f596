package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.StepKey;
import dev.berth.agent.pods.plan.WaitingCause;
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

/// Back-off of stop and remove calls that a runtime service refused. A service that refuses at
/// once, for example while its network plugin is away, would otherwise be called without a pause.
/// Confined to the worker's thread.
final class StopRetries {
  /// The longest interval between two attempts.
  static final Duration LONGEST = Duration.ofSeconds(10);

  private static final ExponentialBackoff WAITS =
      new ExponentialBackoff(Duration.ofSeconds(1), LONGEST);

  /// A runtime's text may have hundreds of kilobytes; it is cut before it reaches the API.
  private static final int LONGEST_WHY = 500;

  /// From this many failures in a row the pod counts as blocked and users are informed.
  private static final int BLOCKED = 3;

  /// @param since the time of the first failure
  /// @param why the last error of the service
  private record Failure(PodStep step, Instant since, int times, Instant retryAt, String why) {}

  /// By the key of the step.
  private final Map<StepKey, Failure> failures = new HashMap<>();

  /// The time before which the step must not start; empty when it may start now.
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

  /// The call that keeps the pod from ending, after repeated failures.
  ///
  /// @param service the name of the runtime service
  Optional<ContainerWaiting> blocked(String service) {
    return failures.values().stream()
        .filter(failure -> failure.times() >= BLOCKED)
        .min(Comparator.comparing(Failure::since))
        .map(
            failure ->
                new ContainerWaiting(
                    "FailedKillPod",
                    words(failure, service),
                    failure.retryAt(),
                    WaitingCause.END_BLOCKED));
  }

  /// The text stays the same from one attempt to the next, so that the status is written once.
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
            "the agent cannot stop the pod",
            "%s has failed at runtime service \"%s\" since %s (%s); the agent retries every %d s"
                .formatted(
                    call,
                    service,
                    failure.since().truncatedTo(ChronoUnit.SECONDS),
                    TruncatedText.of(failure.why(), LONGEST_WHY),
                    LONGEST.toSeconds()),
            "Read the log of the runtime on the node. Then restart the runtime, or remove the pod there with `crictl stopp` and `crictl rmp --force` and end its shim and processes. `kubectl delete --force` removes the Pod object only")
        .toString();
  }

  /// The time of the first refusal to remove, by container id.
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

  /// Start steps have a back-off of their own in [PodWorkerState].
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
