package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.PodStep;
import java.time.InstantSource;

/// Runs preStop hooks, stops containers and removes them.
public final class ContainerStopper {
  private final LifecycleHooks hooks;
  private final ContainerCleanup cleanup;
  private final PodEvents events;
  private final InstantSource clock;

  public ContainerStopper(
      LifecycleHooks hooks, ContainerCleanup cleanup, PodEvents events, InstantSource clock) {
    this.hooks = hooks;
    this.cleanup = cleanup;
    this.events = events;
    this.clock = clock;
  }

  StepOutcome preStop(StepContext stepContext, PodStep.PreStop step) throws InterruptedException {
    events.normal(stepContext.pod(), step.container(), "Killing", step.why());
    var container = stepContext.container(step.container());
    if (container.isPresent()) {
      hooks.preStop(stepContext, container.get(), step.id(), step.grace().left(clock.instant()));
    }
    return new StepOutcome.Done();
  }

  StepOutcome stop(StepContext stepContext, PodStep.StopContainer step) {
    if (!step.why().isEmpty()) {
      events.normal(stepContext.pod(), step.container(), "Killing", step.why());
    }
    stepContext.runtime().stopContainer(step.id(), step.grace().left(clock.instant()));
    String sandbox =
        stepContext.observed().containers().stream()
            .filter(one -> one.id().equals(step.id()))
            .map(ObservedContainer::sandboxId)
            .findFirst()
            .orElse("");
    ContainerStarter.look(stepContext, sandbox, step.id());
    return new StepOutcome.Done();
  }

  StepOutcome remove(StepContext stepContext, String id) {
    stepContext.runtime().removeContainer(id);
    stepContext.observed().containers().stream()
        .filter(one -> one.id().equals(id))
        .forEach(instance -> cleanup.remove(stepContext.pod(), instance));
    stepContext.observer().view().containerGone(stepContext.uid(), id);
    return new StepOutcome.Done();
  }
}
