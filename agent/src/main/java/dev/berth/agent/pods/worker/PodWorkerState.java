package dev.berth.agent.pods.worker;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.act.StepOutcome;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.CrashBackoff;
import dev.berth.agent.pods.plan.PlanInput;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.PodStep;
import dev.berth.agent.pods.plan.ResizedResources;
import dev.berth.agent.pods.plan.RestartCounts;
import dev.berth.agent.pods.plan.StepKey;
import dev.berth.agent.pods.plan.StoppingContainer;
import dev.berth.agent.pods.plan.WaitingCause;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.agent.timing.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a pod's worker keeps from one plan to the next: failures, back-offs, images. Confined to
/// the worker's thread. A restart of the agent loses it, which costs one early attempt.
final class PodWorkerState {
  private static final ExponentialBackoff PULLS =
      new ExponentialBackoff(CrashBackoff.FIRST, CrashBackoff.LONGEST);
  private static final ExponentialBackoff OTHERS =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /// How often the agent checks whether an image was imported while its pull backs off.
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final Map<PodPart, ContainerWaiting> waitingParts = new HashMap<>();
  private final Map<PodPart, Integer> failures = new HashMap<>();
  private final Map<String, CrashBackoff> crashes = new HashMap<>();
  private final Map<String, ImageDescription> images = new HashMap<>();

  /// By the ids of containers.
  private final Map<String, String> resized = new HashMap<>();

  private @Nullable String resizedPod;
  private final Map<String, StoppingContainer> stopping = new HashMap<>();
  private final StopRetries ends = new StopRetries();

  PlanInput memory(Set<StepKey> busy, Map<String, Verdict> verdicts, RestartCounts restartCounts) {
    Set<String> pulled = new HashSet<>(images.keySet());
    return new PlanInput(
        busy,
        waitingParts,
        crashes,
        pulled,
        verdicts,
        new ResizedResources(resized, resizedPod),
        restartCounts,
        stopping,
        ends.unremovable());
  }

  /// The time before which the step must not start; empty when it may start now.
  Optional<Instant> heldBack(PodStep step, Instant now) {
    return ends.heldBack(step, now);
  }

  /// The failure that keeps the pod from ending; empty when none does.
  Optional<ContainerWaiting> endBlocked(String service) {
    return ends.blocked(service);
  }

  Map<String, ImageDescription> images() {
    return images;
  }

  Map<PodPart, ContainerWaiting> waitingParts() {
    return waitingParts;
  }

  Map<String, String> resized() {
    return resized;
  }

  void begun(PodStep step, ObservedPod observed, Instant now) {
    if (step instanceof PodStep.PreStop(var id, _, var grace, _)) {
      stopping.keySet().retainAll(observed.containers().stream().map(one -> one.id()).toList());
      stopping.put(id, new StoppingContainer(grace, now, false));
    }
    if (step instanceof PodStep.StartContainer start && start.created() == null) {
      ObservedContainer last = observed.newestIn(start.sandboxId(), start.container());
      if (last != null && last.hasExited()) {
        Instant ended = Objects.requireNonNullElse(last.finishedAt(), last.createdAt());
        crashes.put(
            start.container(), CrashBackoff.next(crashes.get(start.container()), ended, now));
      }
    }
  }

  void ended(PodStep step, StepOutcome outcome, Instant now) {
    ends.ended(step, outcome, now);
    if (step instanceof PodStep.StartContainer start) {
      images.remove(
          start.container()); // The pull policy may ask for another look at the next start.
    }
    if (step instanceof PodStep.PreStop preStop) {
      // The container is stopped whether or not its hook succeeded.
      stopping.computeIfPresent(preStop.id(), (_, begun) -> begun.ready());
      return;
    }
    switch (outcome) {
      case StepOutcome.Done() -> {
        switch (step) {
          case PodStep.StartContainer start -> forget(PodPart.container(start.container()));
          case PodStep.RunSandbox _ -> forget(PodPart.SANDBOX);
          case PodStep.ResizeContainer(var id, var container, var wanted) -> {
            resized.put(id, wanted);
            forget(PodPart.container(container));
          }
          case PodStep.ResizePod(var wanted) -> {
            resizedPod = wanted;
            forget(PodPart.SANDBOX);
          }
          case PodStep.FindImage(var container) ->
              waitingParts.computeIfPresent(
                  PodPart.container(container),
                  (_, containerWaiting) -> containerWaiting.lookingAt(now.plus(LOOK)));
          case PodStep.StopSandbox _,
              PodStep.RemoveSandbox _,
              PodStep.PullImage _,
              PodStep.PreStop _,
              PodStep.StopContainer _,
              PodStep.RemoveContainer _ -> {
            // These steps leave no failure behind.
          }
        }
      }
      case StepOutcome.Pulled(var container, var image) -> {
        images.put(container, image);
        ContainerWaiting waiting = waitingParts.get(PodPart.container(container));
        if (waiting != null && waiting.cause().isImage()) {
          forget(PodPart.container(container));
        }
      }
      case StepOutcome.Failed(var part, var reason, var message, var cause) ->
          failed(part, reason, message, cause, now);
      case StepOutcome.Unknown(var part, var message) ->
          failed(part, "ContainerCreating", message, WaitingCause.OTHER, now);
    }
  }

  private void failed(
      PodPart part, String reason, String message, WaitingCause cause, Instant now) {
    int before = failures.merge(part, 1, Integer::sum) - 1;
    boolean isPull = cause == WaitingCause.PULL;
    ExponentialBackoff waits = isPull ? PULLS : OTHERS;
    ContainerWaiting containerWaiting =
        new ContainerWaiting(reason, message, now.plus(waits.after(before)), cause);
    waitingParts.put(part, isPull ? containerWaiting.lookingAt(now.plus(LOOK)) : containerWaiting);
  }

  /// Shows a failed pull first as failed, then as backing off, as the kubelet does.
  void backOff(String container, String image) {
    waitingParts.computeIfPresent(
        PodPart.container(container),
        (_, waiting) -> waiting.cause() == WaitingCause.PULL ? waiting.backingOff(image) : waiting);
  }

  private void forget(PodPart part) {
    waitingParts.remove(part);
    failures.remove(part);
  }
}
