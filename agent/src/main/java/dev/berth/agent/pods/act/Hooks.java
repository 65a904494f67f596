package dev.berth.agent.pods.act;

import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.pods.plan.Grace;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.ExecSyncResponse;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LifecycleHandler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs what containers want to have run right after they start and before they stop.
public final class Hooks {
  private final HookRequests requests;
  private final PodEvents events;
  private final InstantSource clock;

  public Hooks(HookRequests requests, PodEvents events, InstantSource clock) {
    this.requests = requests;
    this.events = events;
    this.clock = clock;
  }

  /// A container whose hook fails is stopped as any other; what follows is up to its restart
  /// policy.
  Outcome postStart(PodScene scene, Container container, String id) throws InterruptedException {
    LifecycleHandler hook =
        container.getLifecycle() == null ? null : container.getLifecycle().getPostStart();
    Optional<String> failure = run(scene, container, id, hook, Duration.ZERO);
    if (failure.isEmpty()) {
      return new Outcome.Done();
    }
    events.warning(scene.pod(), container.getName(), "FailedPostStartHook", "PostStartHook failed");
    events.normal(scene.pod(), container.getName(), "Killing", "FailedPostStartHook");
    Grace grace = new Grace(ContainerRules.grace(scene.pod()), clock.instant());
    preStop(scene, container, id, grace.left(clock.instant()));
    scene.runtime().stopContainer(id, grace.left(clock.instant()));
    String sandbox = scene.observed().usableSandbox().map(one -> one.id()).orElse("");
    ContainerStarter.look(scene, sandbox, id);
    return new Outcome.Failed(container.getName(), "PostStartHookError", failure.get(), false);
  }

  /// Whatever becomes of it, the container is stopped afterwards.
  void preStop(PodScene scene, Container container, String id, Duration grace)
      throws InterruptedException {
    LifecycleHandler hook =
        container.getLifecycle() == null ? null : container.getLifecycle().getPreStop();
    Optional<String> failure = run(scene, container, id, hook, grace);
    if (failure.isPresent()) {
      events.warning(scene.pod(), container.getName(), "FailedPreStopHook", "PreStopHook failed");
    }
  }

  /// What went wrong, if anything did.
  ///
  /// @param limit zero for none
  private Optional<String> run(
      PodScene scene,
      Container container,
      String id,
      @Nullable LifecycleHandler hook,
      Duration limit)
      throws InterruptedException {
    if (hook == null) {
      return Optional.empty();
    }
    if (hook.getExec() != null) {
      return exec(scene, id, hook, limit);
    }
    if (hook.getHttpGet() != null) {
      return requests.get(scene, container, hook.getHttpGet(), limit);
    }
    if (hook.getSleep() != null) {
      long seconds = hook.getSleep().getSeconds();
      return requests.sleep(Duration.ofSeconds(seconds), limit);
    }
    return Optional.empty();
  }

  private static Optional<String> exec(
      PodScene scene, String id, LifecycleHandler hook, Duration limit) {
    try {
      ExecSyncResponse answer = scene.runtime().execSync(id, hook.getExec().getCommand(), limit);
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
