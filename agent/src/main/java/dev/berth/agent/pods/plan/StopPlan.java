package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Plans the end of a pod: preStop hooks in parallel, then containers, then sidecars in reverse
/// order, then sandboxes.
record StopPlan(
    Pod pod, DesiredState.Stop desired, ObservedPod observed, PlanInput memory, Instant now) {
  PodPlan compute() {
    List<ObservedContainer> running =
        observed.containers().stream().filter(ObservedContainer::isRunning).toList();
    if (running.isEmpty()) {
      List<PodStep> steps = sandboxes();
      return new PodPlan(steps, Map.of(), null, steps.isEmpty());
    }
    ContainerEnd end = new ContainerEnd(pod, memory, now);
    List<PodStep> steps =
        running.stream()
            .flatMap(
                one -> end.next(one, desired.grace(), why(one), isItsTurn(one, running)).stream())
            .toList();
    return new PodPlan(steps, Map.of(), lookAgain(steps, running), false);
  }

  private String why(ObservedContainer container) {
    return desired.why() + " " + container.name();
  }

  /// Sidecars stop after all containers they may serve. Ephemeral containers are not waited for.
  private boolean isItsTurn(ObservedContainer container, List<ObservedContainer> running) {
    List<String> sidecars =
        pod.getSpec().getInitContainers().stream()
            .filter(ContainerView::isSidecar)
            .map(Container::getName)
            .toList();
    int place = sidecars.indexOf(container.name());
    return place < 0
        || running.stream()
            .noneMatch(other -> isMain(other) || sidecars.indexOf(other.name()) > place);
  }

  private boolean isMain(ObservedContainer one) {
    return pod.getSpec().getContainers().stream()
        .anyMatch(container -> container.getName().equals(one.name()));
  }

  /// After the grace period neither hooks nor the order of sidecars delay a stop.
  private @Nullable Instant lookAgain(List<PodStep> steps, List<ObservedContainer> running) {
    boolean isWaiting =
        steps.size() < running.size() || steps.stream().anyMatch(PodStep.PreStop.class::isInstance);
    Instant end = desired.grace().end();
    return isWaiting && end.isAfter(now) ? end : null;
  }

  /// Containers that are neither running nor exited end with their sandbox.
  private List<PodStep> sandboxes() {
    List<PodStep> steps = new ArrayList<>();
    for (ObservedSandbox sandbox : observed.sandboxes()) {
      if (sandbox.isReady()) {
        steps.add(new PodStep.StopSandbox(sandbox.id()));
      } else if (desired.remove()) {
        steps.add(new PodStep.RemoveSandbox(sandbox.id()));
      }
    }
    return steps;
  }
}
