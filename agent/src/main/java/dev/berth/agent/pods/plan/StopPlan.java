package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a pod ends: its containers, then its sidecars from the last to the first, then its
/// sandboxes.
record StopPlan(Pod pod, Wish.Stop wish, ObservedPod observed) {
  PodPlan compute() {
    List<Step> steps = new ArrayList<>(containers());
    if (steps.isEmpty()) {
      steps.addAll(sandboxes());
    }
    return new PodPlan(steps, Map.of(), null, steps.isEmpty());
  }

  private List<Step> containers() {
    List<String> sidecars =
        pod.getSpec().getInitContainers().stream()
            .filter(ContainerRules::isSidecar)
            .map(Container::getName)
            .toList();
    List<ObservedContainer> running =
        observed.containers().stream().filter(ObservedContainer::isRunning).toList();
    List<Step> ordinary =
        running.stream().filter(one -> !sidecars.contains(one.name())).map(this::stop).toList();
    if (!ordinary.isEmpty()) {
      return ordinary;
    }
    Optional<ObservedContainer> last =
        sidecars.reversed().stream()
            .flatMap(name -> running.stream().filter(one -> one.name().equals(name)))
            .findFirst();
    return last.map(this::stop).map(List::of).orElse(List.of());
  }

  private Step stop(ObservedContainer container) {
    return new Step.StopContainer(
        container.id(), container.name(), wish.grace(), wish.why() + " " + container.name());
  }

  /// What is neither running nor ended ends with its sandbox.
  private List<Step> sandboxes() {
    List<Step> steps = new ArrayList<>();
    for (ObservedSandbox sandbox : observed.sandboxes()) {
      if (sandbox.isReady()) {
        steps.add(new Step.StopSandbox(sandbox.id()));
      } else if (wish.remove()) {
        steps.add(new Step.RemoveSandbox(sandbox.id()));
      }
    }
    return steps;
  }
}
