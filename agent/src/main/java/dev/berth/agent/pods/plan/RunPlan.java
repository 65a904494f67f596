package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.StepKey.Operation;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Plans a pod that runs: a sandbox, init containers in order, then the other containers.
final class RunPlan {
  /// After this time of refusals the agent no longer expects the runtime to remove a cancelled
  /// container.
  private static final Duration FREED_WITHIN = Duration.ofSeconds(5);

  private final Pod pod;
  private final ObservedPod observed;
  private final PlanInput memory;
  private final Instant now;
  private final PlanDraft draft;
  private final ContainerStarts starts;

  RunPlan(Pod pod, ObservedPod observed, PlanInput memory, Instant now) {
    this.pod = pod;
    this.observed = observed;
    this.memory = memory;
    this.now = now;
    this.draft = new PlanDraft(memory, now);
    this.starts = new ContainerStarts(observed, memory, draft);
  }

  PodPlan compute() {
    if (hasEnded()) {
      return new PodPlan(List.of(), Map.of(), null, true);
    }
    String sandbox = new SandboxPlan(observed, draft).compute();
    pod.getSpec().getEphemeralContainers().forEach(one -> starts.ephemeral(sandbox, one));
    if (initContainers(sandbox)) {
      pod.getSpec().getContainers().forEach(container -> container(sandbox, container));
    }
    resizePod();
    InstanceCleanup.steps(observed).forEach(draft::add);
    return draft.plan();
  }

  /// Whether the pod has ended by itself and nothing of it restarts.
  private boolean hasEnded() {
    if (initFailed() || isLost()) {
      return true;
    }
    List<Container> containers = pod.getSpec().getContainers();
    return !containers.isEmpty()
        && containers.stream()
            .allMatch(
                container -> {
                  ObservedContainer newest = observed.newest(container.getName());
                  return newest != null && newest.hasExited() && !restarts(container, newest);
                });
  }

  /// A pod with restart policy Never gets no second sandbox once a container has run.
  private boolean isLost() {
    return ContainerRules.restartPolicy(pod).equals("Never")
        && observed.containers().stream()
            .anyMatch(one -> one.state() != ObservedContainer.State.CANCELLED)
        && observed.sandboxes().stream().noneMatch(ObservedSandbox::isReady);
  }

  private boolean initFailed() {
    return !ContainerRules.retriesInit(pod)
        && pod.getSpec().getInitContainers().stream()
            .filter(container -> !ContainerView.isSidecar(container))
            .map(container -> observed.newest(container.getName()))
            .filter(Objects::nonNull)
            .anyMatch(newest -> newest.hasExited() && newest.exitCode() != 0);
  }

  /// Starts init containers.
  ///
  /// @return whether all have succeeded, so that the other containers may start
  private boolean initContainers(String sandbox) {
    boolean initialized =
        pod.getSpec().getContainers().stream()
            .anyMatch(container -> observed.newestIn(sandbox, container.getName()) != null);
    for (Container container : pod.getSpec().getInitContainers()) {
      ObservedContainer newest = observed.newestIn(sandbox, container.getName());
      if (ContainerView.isSidecar(container)) {
        container(sandbox, container);
        if (!initialized && (newest == null || !isUp(newest, container))) {
          return false;
        }
      } else if (!initialized
          && (newest == null || !newest.hasExited() || newest.exitCode() != 0)) {
        container(sandbox, container);
        return false;
      }
    }
    return true;
  }

  private boolean isUp(ObservedContainer container, Container spec) {
    return container.isRunning() && !isStarting(spec) && memory.verdict(container.id()).started();
  }

  private void container(String sandbox, Container container) {
    ObservedContainer newest = observed.newestIn(sandbox, container.getName());
    if (newest == null) {
      if (!isOver(container)) {
        starts.start(sandbox, container.getName(), null);
      }
      return;
    }
    switch (newest.state()) {
      case CREATED -> starts.start(sandbox, container.getName(), newest);
      case RUNNING -> running(container, newest);
      case UNKNOWN -> stop(newest, "Container is in unknown state, try killing it before restart");
      case EXITED -> ended(sandbox, container, newest);
      case CANCELLED -> cancelled(sandbox, container, newest);
    }
  }

  /// Waits until the cancelled instance's name and number are free. A runtime may have lost track
  /// of the instance and never free them; then the successor takes the next number.
  private void cancelled(String sandbox, Container container, ObservedContainer instance) {
    Instant refused = memory.unremovable().get(instance.id());
    if (refused != null && !now.isBefore(refused.plus(FREED_WITHIN))) {
      starts.start(sandbox, container.getName(), null);
      return;
    }
    if (refused != null) {
      draft.lookAgainAt(refused.plus(FREED_WITHIN));
    }
    starts.holdBackOthers();
  }

  /// Whether the container finished its work in an earlier sandbox. Init containers run again in
  /// each sandbox.
  private boolean isOver(Container container) {
    ObservedContainer last = observed.newest(container.getName());
    return last != null && last.hasExited() && !isInit(container) && !restarts(container, last);
  }

  private boolean restarts(Container container, ObservedContainer ended) {
    return memory.restartCounts().includes(container, ended)
        || ContainerRules.restarts(pod, container, ended.exitCode());
  }

  private boolean isInit(Container container) {
    return pod.getSpec().getInitContainers().contains(container)
        && !ContainerView.isSidecar(container);
  }

  private void running(Container container, ObservedContainer instance) {
    if (isStarting(container)) {
      starts.holdBackOthers();
      return;
    }
    if (memory.stopping().containsKey(instance.id())) {
      stop(instance, ""); // The preStop hook has already run, so the stop is final.
    } else if (!isInit(container) && ContainerHash.hasChanged(container, instance)) {
      // A running init container is not restarted for a new definition: its work is not repeated.
      stop(
          instance,
          "Container %s definition changed, will be restarted".formatted(container.getName()));
    } else if (!memory.verdict(instance.id()).isAlive()) {
      FailedProbe failed = FailedProbe.of(container, memory.verdict(instance.id()));
      stop(instance, new GracePeriod(failed.grace(pod), now), failed.why(pod, container));
    } else {
      resize(container, instance);
    }
  }

  private boolean isStarting(Container container) {
    return memory.busy().contains(StepKey.start(container.getName()));
  }

  private void resize(Container container, ObservedContainer instance) {
    String wanted = ContainerHash.ofResources(container);
    String present = ContainerHash.present(instance, memory.resized().containers(), wanted);
    if (wanted.equals(present) || draft.isHeldBack(PodPart.container(container.getName()))) {
      return;
    }
    if (ContainerHash.needsRestart(container, present, wanted)) {
      stop(instance, "Container %s resize requires restart".formatted(container.getName()));
    } else {
      draft.add(new PodStep.ResizeContainer(instance.id(), container.getName(), wanted));
    }
  }

  /// Resizes the pod's control group after the last container. Growing containers raised its limits
  /// before.
  private void resizePod() {
    boolean changing =
        draft.steps().anyMatch(PodStep.ResizeContainer.class::isInstance)
            || memory.busy().stream().anyMatch(key -> key.operation() == Operation.RESIZE);
    String wanted = ContainerHash.ofResources(pod);
    boolean changed =
        !memory.resized().containers().isEmpty() && !wanted.equals(memory.resized().pod());
    if (changed && !changing && !draft.isHeldBack(PodPart.SANDBOX)) {
      draft.add(new PodStep.ResizePod(wanted));
    }
  }

  private void stop(ObservedContainer instance, String why) {
    stop(instance, new GracePeriod(ContainerRules.grace(pod), now), why);
  }

  private void stop(ObservedContainer instance, GracePeriod grace, String why) {
    StoppingContainer begun = memory.stopping().get(instance.id());
    new ContainerEnd(pod, memory, now)
        .next(instance, begun == null ? grace : begun.grace(), why, true)
        .ifPresent(draft::add);
  }

  private void ended(String sandbox, Container container, ObservedContainer instance) {
    boolean again =
        isInit(container) ? ContainerRules.retriesInit(pod) : restarts(container, instance);
    if (!again) {
      return;
    }
    if (isStarting(container)) {
      starts.holdBackOthers();
      return; // The exited instance is the previous one; its successor is being started.
    }
    boolean isOther = ContainerHash.hasChanged(container, instance);
    CrashBackoff crash = isOther ? null : memory.crashes().get(container.getName());
    Instant finished = Objects.requireNonNullElse(instance.finishedAt(), instance.createdAt());
    Instant restartAt = CrashBackoff.restartAt(crash, finished);
    if (crash != null && restartAt.isAfter(now)) {
      draft.await(
          PodPart.container(container.getName()),
          new ContainerWaiting(
              "CrashLoopBackOff", crashMessage(container, crash), restartAt, WaitingCause.CRASH));
      draft.lookAgainAt(restartAt);
      return;
    }
    starts.start(sandbox, container.getName(), null);
  }

  private String crashMessage(Container container, CrashBackoff crash) {
    return "back-off %s restarting failed container=%s pod=%s_%s(%s)"
        .formatted(
            GoDurations.of(crash.backoff()),
            container.getName(),
            pod.getMetadata().getName(),
            pod.getMetadata().getNamespace(),
            pod.getMetadata().getUid());
  }
}
