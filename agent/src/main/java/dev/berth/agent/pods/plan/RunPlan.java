package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.StepKey.Operation;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a pod gets to run and stays so: a sandbox, init containers in their order, then the others.
final class RunPlan {
  /// So long a runtime may refuse to remove what was called off before nobody expects it to go.
  private static final Duration FREED_WITHIN = Duration.ofSeconds(5);

  private final Pod pod;
  private final ObservedPod observed;
  private final PlanInput memory;
  private final Instant now;
  private final List<PodStep> steps = new ArrayList<>();
  private final Map<PodPart, ContainerWaiting> waiting = new HashMap<>();
  private @Nullable Instant lookAgain;

  /// Containers are started one after the other, each when the one before it is up.
  private boolean mayStart = true;

  RunPlan(Pod pod, ObservedPod observed, PlanInput memory, Instant now) {
    this.pod = pod;
    this.observed = observed;
    this.memory = memory;
    this.now = now;
  }

  PodPlan compute() {
    if (hasEnded()) {
      return new PodPlan(List.of(), Map.of(), null, true);
    }
    clearSandboxes();
    Optional<ObservedSandbox> usable = observed.usableSandbox().filter(one -> !isBroken(one));
    if (usable.isEmpty()) {
      sandbox();
    }
    String sandbox = usable.map(ObservedSandbox::id).orElse("");
    pod.getSpec().getEphemeralContainers().forEach(one -> ephemeral(sandbox, one));
    if (initContainers(sandbox)) {
      pod.getSpec().getContainers().forEach(container -> container(sandbox, container));
    }
    resizePod();
    clearContainers();
    return new PodPlan(steps, waiting, lookAgain, false);
  }

  /// Whether nothing of it will ever run again, by its own doing.
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

  /// A pod that is never restarted gets no other sandbox once anything of it has run.
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

  /// Only the newest sandbox is used; another one that is still up is one too many.
  private void clearSandboxes() {
    for (ObservedSandbox sandbox : observed.sandboxes()) {
      boolean newest = sandbox.equals(observed.sandboxes().getFirst());
      boolean inUse =
          observed.containers().stream()
              .anyMatch(one -> one.sandboxId().equals(sandbox.id()) && !one.isOver());
      boolean isGood = newest && !isBroken(sandbox);
      if (isGood ? !sandbox.isReady() && inUse : sandbox.isReady() || inUse) {
        steps.add(new PodStep.StopSandbox(sandbox.id()));
      } else if (!newest
          && observed.containers().stream()
              .noneMatch(one -> one.sandboxId().equals(sandbox.id()))) {
        steps.add(new PodStep.RemoveSandbox(sandbox.id()));
      }
    }
  }

  /// Whether it is one only by name, as a start in it has shown.
  private boolean isBroken(ObservedSandbox sandbox) {
    return observed.containers().stream()
        .anyMatch(one -> one.sandboxId().equals(sandbox.id()) && one.lacksSandbox());
  }

  private void sandbox() {
    int attempt = observed.newestSandbox().map(last -> last.attempt() + 1).orElse(0);
    boolean cleared = steps.stream().noneMatch(PodStep.StopSandbox.class::isInstance);
    if (cleared && !isHeldBack(PodPart.SANDBOX)) {
      steps.add(new PodStep.RunSandbox(attempt));
    }
  }

  /// Whether all are through, so that the others may start.
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
        start(sandbox, container.getName(), null);
      }
      return;
    }
    switch (newest.state()) {
      case CREATED -> start(sandbox, container.getName(), newest);
      case RUNNING -> running(container, newest);
      case UNKNOWN -> stop(newest, "Container is in unknown state, try killing it before restart");
      case EXITED -> ended(sandbox, container, newest);
      case CANCELLED -> cancelled(sandbox, container, newest);
    }
  }

  /// Its successor takes its place and number once those are free. A runtime may have lost hold of
  /// what it called off, and never frees them: then the successor gets the next number.
  private void cancelled(String sandbox, Container container, ObservedContainer instance) {
    Instant refused = memory.unremovable().get(instance.id());
    if (refused != null && !now.isBefore(refused.plus(FREED_WITHIN))) {
      start(sandbox, container.getName(), null);
      return;
    }
    if (refused != null) {
      lookAgainAt(refused.plus(FREED_WITHIN));
    }
    mayStart = false;
  }

  /// Whether it did its work in a sandbox that is no more; init containers work for each again.
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
      mayStart = false;
      return;
    }
    if (memory.stopping().containsKey(instance.id())) {
      stop(instance, ""); // Nobody can take back what its hook did.
    } else if (!isInit(container) && ContainerHash.hasChanged(container, instance)) {
      // What an init container has begun is not begun again.
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
    if (wanted.equals(present) || isHeldBack(PodPart.container(container.getName()))) {
      return;
    }
    if (ContainerHash.needsRestart(container, present, wanted)) {
      stop(instance, "Container %s resize requires restart".formatted(container.getName()));
    } else {
      steps.add(new PodStep.ResizeContainer(instance.id(), container.getName(), wanted));
    }
  }

  /// After the last of its containers; what they get more was made room for before.
  private void resizePod() {
    boolean changing =
        steps.stream().anyMatch(PodStep.ResizeContainer.class::isInstance)
            || memory.busy().stream().anyMatch(key -> key.operation() == Operation.RESIZE);
    String wanted = ContainerHash.ofResources(pod);
    boolean changed =
        !memory.resized().containers().isEmpty() && !wanted.equals(memory.resized().pod());
    if (changed && !changing && !isHeldBack(PodPart.SANDBOX)) {
      steps.add(new PodStep.ResizePod(wanted));
    }
  }

  private void stop(ObservedContainer instance, String why) {
    stop(instance, new GracePeriod(ContainerRules.grace(pod), now), why);
  }

  private void stop(ObservedContainer instance, GracePeriod grace, String why) {
    StoppingContainer begun = memory.stopping().get(instance.id());
    new ContainerEnd(pod, memory, now)
        .next(instance, begun == null ? grace : begun.grace(), why, true)
        .ifPresent(steps::add);
  }

  private void ended(String sandbox, Container container, ObservedContainer instance) {
    boolean again =
        isInit(container) ? ContainerRules.retriesInit(pod) : restarts(container, instance);
    if (!again) {
      return;
    }
    if (isStarting(container)) {
      mayStart = false;
      return; // What ended is the instance before.
    }
    boolean isOther = ContainerHash.hasChanged(container, instance);
    CrashBackoff crash = isOther ? null : memory.crashes().get(container.getName());
    Instant finished = Objects.requireNonNullElse(instance.finishedAt(), instance.createdAt());
    Instant restartAt = CrashBackoff.restartAt(crash, finished);
    if (crash != null && restartAt.isAfter(now)) {
      waiting.put(
          PodPart.container(container.getName()),
          new ContainerWaiting(
              "CrashLoopBackOff", crashMessage(container, crash), restartAt, WaitingCause.CRASH));
      lookAgainAt(restartAt);
      return;
    }
    start(sandbox, container.getName(), null);
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

  /// Whoever looks for what is wrong with the others must not have to wait for them.
  private void ephemeral(String sandbox, EphemeralContainer container) {
    String name = container.getName();
    ObservedContainer newest = observed.newest(name);
    boolean isNew = newest == null || newest.state() == ObservedContainer.State.CREATED;
    if (!isNew) {
      return;
    }
    if (isHeldBack(PodPart.container(name))) {
      find(name);
    } else if (!pull(name) && !sandbox.isEmpty()) {
      steps.add(startStep(sandbox, name, newest));
    }
  }

  /// The image first, which needs no sandbox and waits for no other container.
  private void start(String sandbox, String container, @Nullable ObservedContainer created) {
    if (isHeldBack(PodPart.container(container))) {
      find(container);
      return;
    }
    if (!pull(container) && mayStart && !sandbox.isEmpty()) {
      steps.add(startStep(sandbox, container, created));
    }
    mayStart = false;
  }

  /// Whether that is to be done first.
  private boolean pull(String container) {
    boolean needed = !memory.pulled().contains(container);
    if (needed) {
      steps.add(new PodStep.PullImage(container));
    }
    return needed;
  }

  /// Somebody may bring what could not be pulled.
  private void find(String container) {
    ContainerWaiting containerWaiting =
        Objects.requireNonNull(memory.troubles().get(PodPart.container(container)));
    if (containerWaiting.lookAt().isAfter(now)) {
      lookAgainAt(containerWaiting.lookAt());
    } else {
      steps.add(new PodStep.FindImage(container));
    }
  }

  private PodStep startStep(String sandbox, String container, @Nullable ObservedContainer created) {
    ObservedContainer last = observed.newest(container);
    return new PodStep.StartContainer(
        container,
        number(container, last, created),
        sandbox,
        created == null ? null : created.id());
  }

  private int number(
      String container, @Nullable ObservedContainer last, @Nullable ObservedContainer created) {
    if (last == null) {
      return memory.restartCounts().numberAfterNone(container);
    }
    return last.equals(created) ? last.attempt() : last.attempt() + 1;
  }

  private boolean isHeldBack(PodPart part) {
    ContainerWaiting containerWaiting = memory.troubles().get(part);
    if (containerWaiting == null || !containerWaiting.retryAt().isAfter(now)) {
      return false;
    }
    lookAgainAt(containerWaiting.retryAt());
    return true;
  }

  /// Of each container the newest instance stays, and the one before it for its logs; what never
  /// ran has none, and counts for nothing.
  private void clearContainers() {
    observed.containers().stream()
        .filter(one -> one.state() == ObservedContainer.State.CANCELLED)
        .filter(one -> !isInBrokenSandbox(one))
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
  }

  /// While it is there, nobody takes the sandbox for good again.
  private boolean isInBrokenSandbox(ObservedContainer container) {
    return container.lacksSandbox()
        && observed.sandboxes().stream()
            .anyMatch(one -> one.id().equals(container.sandboxId()) && one.isReady());
  }

  private void lookAgainAt(Instant time) {
    if (lookAgain == null || time.isBefore(lookAgain)) {
      lookAgain = time;
    }
  }
}
