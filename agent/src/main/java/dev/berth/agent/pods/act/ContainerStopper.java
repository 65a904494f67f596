package dev.berth.agent.pods.act;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Stops containers, after their preStop hooks, and removes them.
public final class ContainerStopper {
  /// So much every container gets, however late it is.
  private static final Duration LEAST = Duration.ofSeconds(2);

  private final Hooks hooks;
  private final PodEvents events;
  private final InstantSource clock;

  public ContainerStopper(Hooks hooks, PodEvents events, InstantSource clock) {
    this.hooks = hooks;
    this.events = events;
    this.clock = clock;
  }

  Outcome stop(PodScene scene, Step.StopContainer step) throws InterruptedException {
    events.normal(scene.pod(), step.container(), "Killing", step.why());
    Instant begun = clock.instant();
    Duration grace = step.grace().compareTo(LEAST) < 0 ? LEAST : step.grace();
    var container = scene.container(step.container());
    if (container.isPresent()) {
      hooks.preStop(scene, container.get(), step.id(), grace);
    }
    Duration left = grace.minus(Duration.between(begun, clock.instant()));
    scene.runtime().stopContainer(step.id(), left.compareTo(LEAST) < 0 ? LEAST : left);
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
    scene.observer().view().containerGone(scene.uid(), id);
    return new Outcome.Done();
  }
}
