package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import java.util.Optional;

/// Plans the sandbox of a pod that runs: one that is usable, and none beside it.
final class SandboxPlan {
  private final ObservedPod observed;
  private final PlanDraft draft;

  SandboxPlan(ObservedPod observed, PlanDraft draft) {
    this.observed = observed;
    this.draft = draft;
  }

  /// The id of the usable sandbox; empty while there is none.
  String compute() {
    clear();
    Optional<ObservedSandbox> usable = observed.usableSandbox().filter(one -> !isBroken(one));
    if (usable.isEmpty()) {
      run();
    }
    return usable.map(ObservedSandbox::id).orElse("");
  }

  /// Stops and removes all sandboxes but the newest.
  private void clear() {
    for (ObservedSandbox sandbox : observed.sandboxes()) {
      boolean newest = sandbox.equals(observed.sandboxes().getFirst());
      boolean inUse =
          observed.containers().stream()
              .anyMatch(one -> one.sandboxId().equals(sandbox.id()) && !one.isOver());
      boolean isGood = newest && !isBroken(sandbox);
      if (isGood ? !sandbox.isReady() && inUse : sandbox.isReady() || inUse) {
        draft.add(new PodStep.StopSandbox(sandbox.id()));
      } else if (!newest
          && observed.containers().stream()
              .noneMatch(one -> one.sandboxId().equals(sandbox.id()))) {
        draft.add(new PodStep.RemoveSandbox(sandbox.id()));
      }
    }
  }

  /// Whether the sandbox is reported ready although a container start proved that its namespaces
  /// are gone.
  private boolean isBroken(ObservedSandbox sandbox) {
    return observed.containers().stream()
        .anyMatch(one -> one.sandboxId().equals(sandbox.id()) && one.lacksSandbox());
  }

  private void run() {
    int attempt = observed.newestSandbox().map(last -> last.attempt() + 1).orElse(0);
    boolean cleared = draft.steps().noneMatch(PodStep.StopSandbox.class::isInstance);
    if (cleared && !draft.isHeldBack(PodPart.SANDBOX)) {
      draft.add(new PodStep.RunSandbox(attempt));
    }
  }
}
