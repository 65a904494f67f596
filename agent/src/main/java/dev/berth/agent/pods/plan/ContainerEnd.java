package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// The steps that end a container: its preStop hook, then the stop when it is its turn. Hooks run
/// in parallel, and hook and stop share one grace period.
record ContainerEnd(Pod pod, PlanInput memory, Instant now) {
  /// The next step; empty while the container waits for its turn, at most until the grace period is
  /// over.
  Optional<PodStep> next(
      ObservedContainer instance, GracePeriod grace, String why, boolean isItsTurn) {
    StoppingContainer begun = memory.stopping().get(instance.id());
    String id = instance.id();
    String name = instance.name();
    if (begun == null && isItsTurn && !hasHook(name)) {
      return Optional.of(new PodStep.StopContainer(id, name, grace, why));
    }
    if (begun == null || (!begun.isReady() && now.isBefore(begun.hookEnd(grace)))) {
      return Optional.of(new PodStep.PreStop(id, name, grace, why));
    }
    return isItsTurn || !now.isBefore(grace.end())
        ? Optional.of(new PodStep.StopContainer(id, name, grace, ""))
        : Optional.empty();
  }

  private boolean hasHook(String name) {
    return Stream.concat(
            pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
        .filter(container -> container.getName().equals(name))
        .map(Container::getLifecycle)
        .anyMatch(lifecycle -> lifecycle != null && lifecycle.getPreStop() != null);
  }
}
