package dev.berth.agent.pods.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a plan has so far: steps, containers that wait, and when to plan again.
final class PlanDraft {
  private final PlanInput memory;
  private final Instant now;
  private final List<PodStep> steps = new ArrayList<>();
  private final Map<PodPart, ContainerWaiting> waiting = new HashMap<>();
  private @Nullable Instant lookAgain;

  PlanDraft(PlanInput memory, Instant now) {
    this.memory = memory;
    this.now = now;
  }

  void add(PodStep step) {
    steps.add(step);
  }

  Stream<PodStep> steps() {
    return steps.stream();
  }

  void await(PodPart part, ContainerWaiting why) {
    waiting.put(part, why);
  }

  /// Whether a back-off delays the part; the pod is then planned again when the back-off ends.
  boolean isHeldBack(PodPart part) {
    ContainerWaiting containerWaiting = memory.waitingParts().get(part);
    if (containerWaiting == null || !containerWaiting.retryAt().isAfter(now)) {
      return false;
    }
    lookAgainAt(containerWaiting.retryAt());
    return true;
  }

  /// The earliest of the given times counts.
  void lookAgainAt(Instant time) {
    if (lookAgain == null || time.isBefore(lookAgain)) {
      lookAgain = time;
    }
  }

  Instant now() {
    return now;
  }

  /// The plan of a pod that has not ended.
  PodPlan plan() {
    return new PodPlan(steps, waiting, lookAgain, false);
  }
}
