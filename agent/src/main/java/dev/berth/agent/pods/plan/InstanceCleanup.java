package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import java.util.ArrayList;
import java.util.List;

/// Plans the removal of instances of containers that nobody needs.
final class InstanceCleanup {
  private InstanceCleanup() {}

  /// Removes old instances: the newest stays, and the one before it for its logs. Cancelled
  /// instances have no logs and are not counted.
  static List<PodStep> steps(ObservedPod observed) {
    List<PodStep> steps = new ArrayList<>();
    observed.containers().stream()
        .filter(one -> one.state() == ObservedContainer.State.CANCELLED)
        .filter(one -> !isInBrokenSandbox(observed, one))
        .forEach(one -> steps.add(new PodStep.RemoveContainer(one.id())));
    observed.containers().stream()
        .map(ObservedContainer::name)
        .distinct()
        .forEach(
            name ->
                observed.instances(name).stream()
                    .skip(2)
                    .filter(ObservedContainer::hasExited)
                    .forEach(one -> steps.add(new PodStep.RemoveContainer(one.id()))));
    return steps;
  }

  /// A container that failed to start proves that the sandbox is broken, so it stays until the
  /// sandbox has stopped.
  private static boolean isInBrokenSandbox(ObservedPod observed, ObservedContainer container) {
    return container.lacksSandbox()
        && observed.sandboxes().stream()
            .anyMatch(one -> one.id().equals(container.sandboxId()) && one.isReady());
  }
}
