package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.pods.plan.GracePeriod;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.ExecSyncResponse;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LifecycleHandler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs postStart and preStop hooks.
public final class LifecycleHooks {
  private final HookRequests requests;
  private final PodEvents events;
  private final InstantSource clock;

  public LifecycleHooks(HookRequests requests, PodEvents events, InstantSource clock) {
    this.requests = requests;
    this.events = events;
    this.clock = clock;
  }

  /// A container whose postStart hook fails is stopped; its restart policy decides what follows.
  StepOutcome postStart(StepContext stepContext, Container container, String id)
      throws InterruptedException {
    LifecycleHandler hook =
        container.getLifecycle() == null ? null : container.getLifecycle().getPostStart();
    Optional<String> failure = run(stepContext, container, id, hook, Duration.ZERO);
    if (failure.isEmpty()) {
      return new StepOutcome.Done();
    }
    events.warning(
        stepContext.pod(), container.getName(), "FailedPostStartHook", "PostStartHook failed");
    events.normal(stepContext.pod(), container.getName(), "Killing", "FailedPostStartHook");
    GracePeriod grace = new GracePeriod(ContainerRules.grace(stepContext.pod()), clock.instant());
    preStop(stepContext, container, id, grace.left(clock.instant()));
    stepContext.runtime().stopContainer(id, grace.left(clock.instant()));
    String sandbox = stepContext.observed().usableSandbox().map(one -> one.id()).orElse("");
    ContainerStarter.look(stepContext, sandbox, id);
    return new StepOutcome.Failed(
        PodPart.container(container.getName()), "PostStartHookError", failure.get());
  }

  /// The container is stopped whether or not the hook succeeds.
  void preStop(StepContext stepContext, Container container, String id, Duration grace)
      throws InterruptedException {
    LifecycleHandler hook =
        container.getLifecycle() == null ? null : container.getLifecycle().getPreStop();
    Optional<String> failure = run(stepContext, container, id, hook, grace);
    if (failure.isPresent()) {
      events.warning(
          stepContext.pod(), container.getName(), "FailedPreStopHook", "PreStopHook failed");
    }
  }

  /// Runs a hook.
  ///
  /// @param limit zero for no limit
  /// @return the failure; empty on success
  private Optional<String> run(
      StepContext stepContext,
      Container container,
      String id,
      @Nullable LifecycleHandler hook,
      Duration limit)
      throws InterruptedException {
    if (hook == null) {
      return Optional.empty();
    }
    if (hook.getExec() != null) {
      return exec(stepContext, id, hook, limit);
    }
    if (hook.getHttpGet() != null) {
      return requests.get(stepContext, container, hook.getHttpGet(), limit);
    }
    if (hook.getSleep() != null) {
      long seconds = hook.getSleep().getSeconds();
      return requests.sleep(Duration.ofSeconds(seconds), limit);
    }
    return Optional.empty();
  }

  private static Optional<String> exec(
      StepContext stepContext, String id, LifecycleHandler hook, Duration limit) {
    try {
      ExecSyncResponse answer =
          stepContext.runtime().execSync(id, hook.getExec().getCommand(), limit);
      return answer.getExitCode() == 0
          ? Optional.empty()
          : Optional.of(
              "command '%s' exited with %d: %s"
                  .formatted(
                      String.join(" ", hook.getExec().getCommand()),
                      answer.getExitCode(),
                      answer.getStderr().toStringUtf8()));
    } catch (CriException e) {
      if (e.isCancelled()) {
        throw e;
      }
      return Optional.of(e.rpcError());
    }
  }
}
