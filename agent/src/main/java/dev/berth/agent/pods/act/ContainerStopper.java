package dev.berth.agent.pods.act;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.Step;
import java.time.InstantSource;

/// Stops containers, after their preStop hooks, and removes them.
public final class ContainerStopper {
  private final Hooks hooks;
  private final ContainerRemains remains;
  private final PodEvents events;
  private final InstantSource clock;

  public ContainerStopper(
      Hooks hooks, ContainerRemains remains, PodEvents events, InstantSource clock) {
    this.hooks = hooks;
    this.remains = remains;
    this.events = events;
    this.clock = clock;
  }

  Outcome preStop(PodScene scene, Step.PreStop step) throws InterruptedException {
    events.normal(scene.pod(), step.container(), "Killing", step.why());
    var container = scene.container(step.container());
    if (container.isPresent()) {
      hooks.preStop(scene, container.get(), step.id(), step.grace().left(clock.instant()));
    }
    return new Outcome.Done();
  }

  Outcome stop(PodScene scene, Step.StopContainer step) {
    if (!step.why().isEmpty()) {
      events.normal(scene.pod(), step.container(), "Killing", step.why());
    }
    scene.runtime().stopContainer(step.id(), step.grace().left(clock.instant()));
    String sandbox =
        scene.observed().containers().stream()
            .filter(one -> one.id().equals(step.id()))
            .map(ObservedContainer::sandboxId)
            .findFirst()
            .orElse("");
    ContainerStarter.look(scene, sandbox, step.id());
    return new Outcome.Done();
  }

  Outcome remove(PodScene scene, String id) {
    scene.runtime().removeContainer(id);
    scene.observed().containers().stream()
        .filter(one -> one.id().equals(id))
        .forEach(instance -> remains.remove(scene.pod(), instance));
    scene.observer().view().containerGone(scene.uid(), id);
    return new Outcome.Done();
  }
}
